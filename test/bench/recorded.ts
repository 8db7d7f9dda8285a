/**
 * Requests of the example on the simulated cloud, of every function that is called for one object: the one whose answer
 * adds most while its clusters come up, and the largest once nothing happens any more.
 */
import { isCompositeReady } from '#lib/api/conditions.ts';
import { API_VERSION } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import type { Engine, FunctionCaller } from '#simulator/engine.ts';
import { exampleEngine } from '../support/example.ts';
import { inProcess } from '../support/in-process.ts';
import { type Sent, sentOften } from './observed.ts';

/** For which kinds a function is called. */
const CALLED_FOR: Readonly<Record<string, readonly string[]>> = {
  addons: ['Cluster'],
  bootstrap: ['Cluster', 'Machine'],
  cluster: ['Cluster'],
  machine: ['Machine'],
  provisioning: ['Machine'],
};

export interface Recorded {
  /** The folder of the function. */
  readonly called: string;
  readonly kind: string;
  readonly state: 'settled' | 'at work';
  readonly sent: Sent;
}

export async function recorded(): Promise<readonly Recorded[]> {
  const largest = await largestRequests();
  return Object.entries(CALLED_FOR).flatMap(([called, kinds]) =>
    kinds.flatMap((kind) =>
      (['settled', 'at work'] as const).map((state) => {
        const found = largest.get(`${called} ${kind} ${state}`);
        if (found === undefined) throw new Error(`no call of ${called} for a ${kind} that is ${state}`);
        return { called, kind, state, sent: sentOften(found.request) };
      }),
    ),
  );
}

/** Simulated seconds. */
const LONGEST = 10_800;

interface Largest {
  readonly size: number;
  readonly request: Request;
}

async function largestRequests(): Promise<ReadonlyMap<string, Largest>> {
  const largest = new Map<string, Largest>();
  let isSettled = false;
  const recording = (name: string): FunctionCaller => ({
    async run(request, options) {
      const { kind } = request.observed.composite;
      const answer = await inProcess(name).run(request, options);
      const key = `${name.replace('slipway-function-', '')} ${kind} ${isSettled ? 'settled' : 'at work'}`;
      const size = isSettled ? encodeRequest(request).length : sizeOf(answer) - sizeOf(request);
      if (size > (largest.get(key)?.size ?? -Infinity)) largest.set(key, { size, request });
      return answer;
    },
  });
  // Functions are measured today: certificates that are old by then would be renewed by every call.
  const start = new Date(Date.now() - LONGEST * 1000);
  const engine = exampleEngine({ functions: recording, start });
  await engine.runUntil(() => isUp(engine), { limitSeconds: 7200 });
  const { seconds } = engine;
  await engine.runUntil(() => engine.seconds > seconds + 1800, { limitSeconds: LONGEST });
  isSettled = true;
  // Longer than any answer lives: each function is called again.
  await engine.runUntil(() => engine.seconds > seconds + 3600, { limitSeconds: LONGEST });
  return largest;
}

/** Of what steps hand on. */
function sizeOf({ desired, context }: Pick<Request, 'desired' | 'context'>): number {
  const { composite, resources } = desired;
  return JSON.stringify([composite, [...resources.values()], context]).length;
}

function isUp(engine: Engine): boolean {
  const claims = ['Cluster', 'NodePool'].flatMap((kind) => engine.list({ apiVersion: API_VERSION, kind }));
  return claims.every(isCompositeReady);
}
