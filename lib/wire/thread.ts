/** The other end of `Threads`: answers calls inside a thread. */
import { parentPort } from 'node:worker_threads';
import type { Answered } from './shell.ts';
import { READY, type ThreadCall } from './threads.ts';

/** Answers every call of the thread that started this one. */
export function answerCalls(answer: (bytes: Uint8Array, now: Date) => Promise<Answered>): void {
  const respond = async ({ bytes, now }: ThreadCall): Promise<void> => {
    const answered = await answer(bytes, new Date(now));
    const own = new Uint8Array(answered.bytes);
    const message: Answered = { bytes: own, outcome: answered.outcome };
    parentPort?.postMessage(message, [own.buffer]);
  };
  parentPort?.on('message', (call: ThreadCall) => void respond(call));
  parentPort?.postMessage(READY);
}
