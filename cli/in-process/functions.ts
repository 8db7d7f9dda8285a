/**
 * The functions in this process: what they decide and refuse is the same as over gRPC, and a call costs neither bytes
 * nor sockets. Each is loaded when it is called for the first time.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { refused } from '#lib/fn/refused.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { realWorld } from '#lib/fn/world.ts';
import type { FunctionAnswer } from '#lib/wire/answer.ts';
import type { FunctionCaller } from '#lib/wire/client.ts';
import { decide, refuseLargeReply } from '#lib/wire/shell.ts';
import { type FunctionFolder, folderOf } from '../files/repository.ts';

type Load = () => Promise<{ readonly run: CompositionFunction }>;

const LOAD: Readonly<Record<FunctionFolder, Load>> = {
  addons: () => import('../../functions/addons/fn.ts'),
  bootstrap: () => import('../../functions/bootstrap/fn.ts'),
  cluster: () => import('../../functions/cluster/fn.ts'),
  'in-place-update': () => import('../../functions/in-place-update/fn.ts'),
  machine: () => import('../../functions/machine/fn.ts'),
  nodepool: () => import('../../functions/nodepool/fn.ts'),
  provisioning: () => import('../../functions/provisioning/fn.ts'),
};

/** @param name as in a Composition. Throws SlipwayError UnknownSubject. */
export function inProcess(name: string): FunctionCaller {
  return callerOf(LOAD[folderOf(name)]);
}

/** A function as its callers see it over gRPC, including refusals as fatal results. */
export function callerOf(load: Load): FunctionCaller {
  return {
    async run(request, options) {
      try {
        const { run } = await load();
        const world = realWorld();
        const reply = await decide(run, request, { ...world, now: options?.now ?? world.now });
        refuseLargeReply(request.observed.composite, reply);
        return accepted(request, reply);
      } catch (thrown) {
        return refusedAnswer(request, SlipwayError.from(thrown));
      }
    },
  };
}

function accepted({ observed }: Request, reply: ReplyData): FunctionAnswer {
  const { apiVersion, kind } = observed.composite;
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
}

function refusedAnswer({ desired, context }: Request, error: SlipwayError): FunctionAnswer {
  const { reason, message, condition, context: refusalContext, ttl } = refused(error, context);
  return {
    desired: { composite: desired.composite, compositeReady: desired.compositeReady, resources: desired.resources },
    conditions: [condition],
    results: [{ severity: 'Fatal', reason, message }],
    requirements: new Map(),
    context: refusalContext ?? {},
    ttl,
  };
}
