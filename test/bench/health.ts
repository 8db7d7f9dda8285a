/** How long health probes take while large calls are in progress. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Target } from './target.ts';

/** What is probed. */
export interface Probed {
  readonly address: string;
  readonly pid: number;
}

/** Milliseconds. */
export interface Probe {
  readonly took: number;
  /** Of that: both ends were ready to run, and other programs had the processors. */
  readonly waited: number;
}

/** @param calls  how many of the request are made at once */
export async function probed(target: Target, request: Uint8Array, calls: number): Promise<readonly Probe[]> {
  await target.call(request);
  const { address, pid } = target;
  const workerData: Probed = { address, pid };
  const prober = new Worker(join(import.meta.dirname, 'probe.ts'), { workerData });
  await once(prober, 'message');
  await Promise.all(Array.from({ length: calls }, () => target.call(request)));
  const told = once(prober, 'message');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  prober.postMessage('stop');
  const [probes] = (await told) as [readonly Probe[]];
  return probes;
}
