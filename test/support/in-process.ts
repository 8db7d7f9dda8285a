/** The functions in process, answering as they would over the wire. */
import type { FunctionCaller } from '#lib/engine/engine.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { realWorld } from '#lib/fn/world.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { run as cluster } from '../../functions/cluster/fn.ts';
import { run as inPlaceUpdate } from '../../functions/in-place-update/fn.ts';
import { run as machine } from '../../functions/machine/fn.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';
import { run as provisioning } from '../../functions/provisioning/fn.ts';

const FUNCTIONS: Readonly<Record<string, CompositionFunction>> = {
  bootstrap,
  cluster,
  'in-place-update': inPlaceUpdate,
  machine,
  nodepool,
  provisioning,
};

/** @param name  as a Composition names it */
export function inProcess(name: string): FunctionCaller {
  const run = FUNCTIONS[name.replace('slipway-function-', '')]!;
  return {
    async run(request, options) {
      const reply = (await run(request, { ...realWorld(), now: options?.now ?? new Date(0) })).build();
      const { apiVersion, kind } = request.observed.composite;
      return {
        desired: {
          composite: { apiVersion, kind, status: reply.status },
          compositeReady: reply.compositeReady,
          resources: reply.resources,
        },
        conditions: reply.conditions,
        results: reply.events,
        requirements: reply.requirements,
        context: reply.context,
        ttl: reply.ttl,
      };
    },
  };
}
