/**
 * Large calls on threads of their own, so that nobody waits for them: health probes, small calls, and the remaining
 * processors. Each thread has one call at a time. One that breaks fails its call, and the next call gets another.
 */
import { Worker } from 'node:worker_threads';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Answered } from './shell.ts';

/** What a thread gets. */
export interface ThreadCall {
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ThreadLimits {
  readonly threads: number;
  /** Bytes of requests that wait for a thread. */
  readonly waiting: number;
}

interface Job {
  readonly call: ThreadCall;
  /** Whether somebody still waits for the answer. */
  readonly isWanted: () => boolean;
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: SlipwayError) => void;
}

export class Threads {
  readonly #start: () => Worker;
  readonly #limits: ThreadLimits;
  readonly #idle: Worker[] = [];
  readonly #jobs = new Map<Worker, Job>();
  readonly #waiting: Job[] = [];
  #waitingBytes = 0;

  /** @param start starts a thread that calls `answerCalls` */
  constructor(start: () => Worker, limits: ThreadLimits) {
    this.#start = start;
    this.#limits = limits;
  }

  /** Throws SlipwayError Unavailable if too much waits already, or if the thread broke. */
  answer(call: ThreadCall, isWanted: () => boolean = () => true): Promise<Answered> {
    if (this.#waitingBytes + call.bytes.length > this.#limits.waiting)
      return Promise.reject(
        new SlipwayError('Unavailable', `cannot take the call: requests of ${this.#waitingBytes} bytes wait already`),
      );
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, isWanted, resolve, reject });
      this.#waitingBytes += call.bytes.length;
      this.#next();
    });
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#idle.pop() ?? (this.#jobs.size < this.#limits.threads ? this.#started() : undefined);
      if (thread === undefined) return;
      const job = this.#waiting.shift();
      this.#waitingBytes -= job?.call.bytes.length ?? 0;
      if (job?.isWanted() === true) this.#give(thread, job);
      else {
        job?.reject(new SlipwayError('Unavailable', 'cannot answer: nobody waits for it'));
        this.#idle.push(thread);
      }
    }
  }

  #give(thread: Worker, job: Job): void {
    this.#jobs.set(thread, job);
    // A copy: the bytes of gRPC may be part of a buffer with other messages.
    const bytes = new Uint8Array(job.call.bytes);
    const call: ThreadCall = { bytes, now: job.call.now };
    thread.postMessage(call, [bytes.buffer]);
  }

  #started(): Worker {
    const thread = this.#start();
    let cause = 'it ended';
    thread.on('message', (answered: Answered) => {
      const job = this.#taken(thread);
      this.#idle.push(thread);
      job?.resolve(answered);
      this.#next();
    });
    thread.on('error', (thrown: unknown) => (cause = thrown instanceof Error ? thrown.message : String(thrown)));
    thread.on('exit', () => {
      const at = this.#idle.indexOf(thread);
      if (at !== -1) this.#idle.splice(at, 1);
      this.#taken(thread)?.reject(new SlipwayError('Unavailable', `cannot answer: its thread broke: ${cause}`));
      this.#next();
    });
    return thread;
  }

  #taken(thread: Worker): Job | undefined {
    const job = this.#jobs.get(thread);
    this.#jobs.delete(thread);
    return job;
  }
}
