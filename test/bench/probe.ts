/** Probes the health of a process until it is told to stop, on a thread of its own: nothing else can delay it. */
import { setTimeout as after } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Client, credentials } from '@grpc/grpc-js';
import { readFileSync } from 'node:fs';
import { SERVICE } from '#lib/serve/health.ts';
import type { Probe, Probed } from './health.ts';

const BETWEEN = 5;

const { address, pid } = workerData as Probed;
const client = new Client(address, credentials.createInsecure());
const state = { going: true };

/** Milliseconds that the main thread of the process, and this thread, were ready to run and had no processor. */
function waited(): number {
  const [other, own] = [`/proc/${pid}/task/${pid}/schedstat`, '/proc/thread-self/schedstat'].map((file) =>
    Number(readFileSync(file, 'utf8').split(' ')[1]),
  );
  return ((other ?? 0) + (own ?? 0)) / 1e6;
}

function probe(): Promise<Probe> {
  const { path, requestSerialize, responseDeserialize } = SERVICE.check;
  const [begun, before] = [performance.now(), waited()];
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service: '' }, (error) => {
      if (error === null) resolve({ took: performance.now() - begun, waited: waited() - before });
      else reject(error);
    });
  });
}

parentPort?.once('message', () => (state.going = false));
await probe();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage('ready');
const times: Probe[] = [];
while (state.going) {
  times.push(await probe());
  await after(BETWEEN);
}
client.close();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(times);
