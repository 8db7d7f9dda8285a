/** The requests that are measured: pools of any size, settled and at work, and one of every other function. */
import type { JsonObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { SUBJECTS } from '../hostile/requests.ts';
import { inProcess } from '../support/in-process.ts';
import { asSent, asStored } from './observed.ts';
import { poolRequest, upAndReady, UPDATE_INPUT } from './pool.ts';

export interface Measured {
  readonly name: string;
  /** Settled: nothing differs. At work: the claim was changed, and every machine is out of date. */
  readonly state: 'settled' | 'at work' | '-';
  readonly machines: number;
  readonly bytes: Uint8Array;
}

const CHANGED: JsonObject = { machine: { class: 'standard-8' }, labels: { a: 'b' } };

/** @param size how many machines */
export async function poolsOf(size: number): Promise<readonly Measured[]> {
  const empty = await pipeline(poolRequest(size, []));
  const machines = [...empty.answer.desired.resources.values()].map(({ resource }) => asStored(upAndReady(resource)));
  const measured: Measured[] = [];
  for (const [state, spec] of [
    ['settled', {}],
    ['at work', CHANGED],
  ] as const) {
    const { first, second } = await pipeline(poolRequest(size, machines, spec));
    measured.push({ name: 'nodepool', state, machines: size, bytes: encodeRequest(asSent(first, size)) });
    measured.push({ name: 'in-place-update', state, machines: size, bytes: encodeRequest(asSent(second, size)) });
  }
  return measured;
}

/** nodepool, then in-place-update with what nodepool desires, as one pipeline. */
async function pipeline(request: Request) {
  const now = new Date('2026-06-01T00:00:00Z');
  const first = await inProcess('nodepool').run(request, { now });
  const second: Request = {
    ...request,
    input: UPDATE_INPUT,
    desired: first.desired,
    context: first.context,
    required: new Map(),
  };
  return { first: request, second, answer: await inProcess('in-place-update').run(second, { now }) };
}

const OTHERS = ['addons', 'bootstrap', 'cluster', 'machine', 'provisioning'];

/** The largest valid request that tests have of it. */
export async function others(): Promise<readonly Measured[]> {
  return Promise.all(
    OTHERS.map(async (name) => {
      const all = (await SUBJECTS[name]?.valid()) ?? [];
      const sent = all.map((request) => encodeRequest(asSent(request, 1))).sort((a, b) => b.length - a.length);
      return { name, state: '-' as const, machines: 1, bytes: sent[0] ?? Buffer.of() };
    }),
  );
}
