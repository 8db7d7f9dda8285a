/** The functions in process, because most of the time of a gRPC call is spent on the connection. */
import type { FunctionCaller } from '#simulator/engine.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { realWorld } from '#lib/fn/world.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { refused } from '#lib/fn/refused.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { FunctionAnswer } from '#lib/wire/answer.ts';
import { decide } from '#lib/wire/shell.ts';
import { run as addons } from '../../functions/addons/fn.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { run as cluster } from '../../functions/cluster/fn.ts';
import { run as inPlaceUpdate } from '../../functions/in-place-update/fn.ts';
import { run as machine } from '../../functions/machine/fn.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';
import { run as provisioning } from '../../functions/provisioning/fn.ts';

const FUNCTIONS: Readonly<Record<string, CompositionFunction>> = {
  addons,
  bootstrap,
  cluster,
  'in-place-update': inPlaceUpdate,
  machine,
  nodepool,
  provisioning,
};

/**
 * A function as its callers see it over gRPC, including refusals as fatal results, but without bytes, sockets and
 * processes. test/cli compares such a run with one that uses processes.
 * @param name as in a Composition
 */
export function inProcess(name: string): FunctionCaller {
  return inProcessWith({})(name);
}

/** @param others  instead of the shipped ones, by the last part of their names */
export function inProcessWith(others: Readonly<Record<string, CompositionFunction>>): (name: string) => FunctionCaller {
  const functions = { ...FUNCTIONS, ...others };
  return (name) => callerOf(functions[name.replace('slipway-function-', '')]!);
}

function callerOf(run: CompositionFunction): FunctionCaller {
  return {
    async run(request, options) {
      try {
        const world = { ...realWorld(), now: options?.now ?? new Date(0) };
        return accepted(request, await decide(run, request, world));
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

/** Replaces `startFunctions` of the command line in tests that are not about processes. */
export function startInProcess() {
  return Promise.resolve({ all: [], caller: inProcess, stop: () => {} });
}
