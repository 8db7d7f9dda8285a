/** The other end of `Threads`: answers calls inside a thread. */
import { parentPort } from 'node:worker_threads';
import { pino } from 'pino';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { realWorld } from '#lib/fn/world.ts';
import type { Flags } from './flags.ts';
import { answer, type Answered } from './shell.ts';
import { READY, type ThreadCall } from './threads.ts';

/** Loads a function. */
export type Load = () => Promise<{ readonly run: CompositionFunction }>;

/** Answers every call of the thread that started this one. */
export async function answerCalls(name: string, load: Load, flags: Flags): Promise<void> {
  const { run } = await load();
  const shell = { run, logger: pino({ name, level: flags.debug ? 'debug' : 'info' }), ttl: flags.ttl };
  const respond = async ({ bytes, now }: ThreadCall): Promise<void> => {
    const answered = await answer(shell, bytes, { ...realWorld(), now: new Date(now) });
    const own = new Uint8Array(answered.bytes);
    const message: Answered = { bytes: own, outcome: answered.outcome };
    parentPort?.postMessage(message, [own.buffer]);
  };
  parentPort?.on('message', (call: ThreadCall) => void respond(call));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(READY);
}
