/** The requests that are measured: pools of any size, and one object of every other function, settled and at work. */
import type { JsonObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { inProcess } from '../support/in-process.ts';
import { asStored, type Sent, sentOften } from './observed.ts';
import { machinesLike, poolRequest, upAndReady, UPDATE_INPUT } from './pool.ts';
import { recordedIn } from '../support/recording.ts';
import { recorded } from './recorded.ts';

export interface Measured {
  /** The folder of the function. */
  readonly called: string;
  /** The object that it is called for: its kind, or how many machines the pool has. */
  readonly subject: string;
  /** Settled: nothing differs. At work: the claim was changed, and every machine of a pool is out of date. */
  readonly state: 'settled' | 'at work';
  /** The same request, as it comes call after call. */
  readonly sent: Sent;
}

/** @param sizes of pools @param only  of this function; undefined: of all */
export async function requestsOf(sizes: readonly number[], only: string | undefined): Promise<readonly Measured[]> {
  const ofPools = (await Promise.all(sizes.map(poolsOf))).flat();
  const isPools = ofPools.some(({ called }) => called === only);
  const others = isPools ? [] : (await recorded()).map(({ kind, ...one }) => ({ ...one, subject: `a ${kind}` }));
  return [...ofPools, ...others].filter(({ called }) => only === undefined || called === only);
}

/** What a real Crossplane sent. Throws TypeError if the folder has none of it. */
export function realRequests(folder: string): readonly Measured[] {
  return recordedIn(folder).map(({ called, kind, observed, state, bytes }) => ({
    called,
    subject: `a ${kind}, ${observed} observed`,
    state,
    sent: [bytes],
  }));
}

const CHANGED: JsonObject = { machine: { class: 'standard-8' }, labels: { a: 'b' } };

/** @param size how many machines */
async function poolsOf(size: number): Promise<readonly Measured[]> {
  const empty = await pipeline(poolRequest(size, []));
  const first = [...empty.answer.desired.resources.values()].map(({ resource }) => resource);
  const machines = machinesLike(first, size).map((machine) => asStored(upAndReady(machine)));
  const subject = `${size} machines`;
  const measured: Measured[] = [];
  for (const [state, spec] of [
    ['settled', {}],
    ['at work', CHANGED],
  ] as const) {
    const { first: asked, second, required } = await pipeline(poolRequest(size, machines, spec));
    const fetched = new Map([...asked.required].filter(([name]) => required.has(name)));
    measured.push({
      called: 'nodepool',
      subject,
      state,
      sent: sentOften({ ...asked, required: fetched }),
    });
    measured.push({ called: 'in-place-update', subject, state, sent: sentOften(second) });
  }
  return measured;
}

/** nodepool, then in-place-update with what nodepool desires, as one pipeline. */
async function pipeline(request: Request) {
  const now = new Date('2026-06-01T00:00:00Z');
  const first = await inProcess('slipway-function-nodepool').run(request, { now });
  const second: Request = {
    ...request,
    input: UPDATE_INPUT,
    desired: first.desired,
    context: first.context,
    required: new Map(),
  };
  const required = new Set(first.requirements.keys());
  return {
    first: request,
    second,
    required,
    answer: await inProcess('slipway-function-in-place-update').run(second, { now }),
  };
}
