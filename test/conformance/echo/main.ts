/** A function that does what its input says, for the tests beside it: answer, refuse, throw, wait, block, end, fill the memory, return too much. */
import { existsSync } from 'node:fs';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { SlipwayError } from '#lib/api/errors.ts';
import { type Json, type JsonObject, stringAt } from '#lib/api/json.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { ANSWERS_FOR_NOTHING } from '#lib/fn/law.ts';
import { Reply } from '#lib/fn/reply.ts';
import { serve } from '#lib/wire/serve.ts';

/** Composes a ConfigMap with the name of the XR, the time of the call and `bytes` more characters. */
const echo: CompositionFunction = async (request, world) => {
  const input: JsonObject = request.input ?? {};
  const refusal = stringAt(input, 'refuse');
  if (refusal !== undefined) throw new SlipwayError('InvalidClaim', refusal);
  if (input['break'] === true) throw new TypeError('a defect, next to secret-in-a-message');
  if (input['wait'] === true) await signalled();
  if (input['exit'] === true) process.exit(1);
  if (input['hoard'] === true) hoard();
  const file = stringAt(input, 'busyUntil');
  if (file !== undefined) busyUntil(file);
  const data = {
    name: stringAt(request.observed.composite, 'metadata', 'name') ?? '',
    now: world.now.toISOString(),
    padding: 'x'.repeat(Number(input['bytes'] ?? 0)),
  };
  const value = input['notJson'] === true ? { when: world.now as unknown as Json } : (input['value'] ?? {});
  return new Reply(request, ANSWERS_FOR_NOTHING).compose(
    'echo',
    { apiVersion: 'v1', kind: 'ConfigMap', data, value },
    true,
  );
};

const SIGNALS = 'signals';

/** Waits for SIGUSR2, with which a test ends the call. Only the main thread hears it. */
function signalled(): Promise<void> {
  const signals = new BroadcastChannel(SIGNALS);
  const wait = new Promise<void>((resolve) => {
    signals.addEventListener('message', () => {
      signals.close();
      resolve();
    });
  });
  process.stdout.write(`${JSON.stringify({ msg: 'waiting' })}\n`);
  return wait;
}

/** Takes ever more memory. */
function hoard(): never {
  const held: string[][] = [];
  for (;;) held.push(Array.from({ length: 1000 }, (_, at) => `${held.length}-${at}`));
}

/** Blocks its thread until the file exists. */
function busyUntil(file: string): void {
  process.stdout.write(`${JSON.stringify({ msg: 'busy' })}\n`);
  while (!existsSync(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}

/** Again and again: calls that begin later need not wait. */
function passSignals(): void {
  const signals = new BroadcastChannel(SIGNALS);
  signals.unref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const go = (): void => signals.postMessage('go');
  process.once('SIGUSR2', () => void setInterval(go, 10).unref());
}

if (isMainThread) passSignals();
await serve('function-echo', () => Promise.resolve({ run: echo }));
