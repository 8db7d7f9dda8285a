/**
 * Large calls on threads of their own, so that nobody waits for them: health probes, small calls, and the remaining
 * processors. Each thread has one call at a time. One that breaks, or does not end in time, fails its call, and the next
 * call gets another.
 */
import { Worker } from 'node:worker_threads';
import { messageOf, SlipwayError } from '#lib/api/errors.ts';
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
  /** Milliseconds for one call. A thread that takes longer is ended: it would keep its place for ever. */
  readonly deadline: number;
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
  readonly #jobs = new Map<Worker, Job & { readonly timer: NodeJS.Timeout }>();
  /** Threads that are being ended because they took too long. */
  readonly #late = new Set<Worker>();
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
    while (this.#idle.length > 0 || this.#jobs.size < this.#limits.threads) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      this.#waitingBytes -= job.call.bytes.length;
      if (job.isWanted()) this.#give(job);
      else job.reject(new SlipwayError('Unavailable', 'cannot answer: nobody waits for it'));
    }
  }

  #give(job: Job): void {
    const thread = this.#thread(job);
    if (thread === undefined) return;
    const timer = this.#timer(thread);
    this.#jobs.set(thread, { ...job, timer });
    try {
      // A copy: the bytes of gRPC may be part of a buffer with other messages.
      const bytes = new Uint8Array(job.call.bytes);
      const call: ThreadCall = { bytes, now: job.call.now };
      thread.postMessage(call, [bytes.buffer]);
    } catch (thrown) {
      // It was given nothing, so that it takes another call.
      clearTimeout(timer);
      this.#jobs.delete(thread);
      this.#idle.push(thread);
      job.reject(new SlipwayError('Unavailable', `cannot give a call to a thread: ${messageOf(thrown)}`));
    }
  }

  /** Undefined: none could be started, and the call has failed. */
  #thread(job: Job): Worker | undefined {
    try {
      return this.#idle.pop() ?? this.#started();
    } catch (thrown) {
      job.reject(new SlipwayError('Unavailable', `cannot start a thread: ${messageOf(thrown)}`));
      return undefined;
    }
  }

  /** Its end fails the call, and makes room. */
  #timer(thread: Worker): NodeJS.Timeout {
    return setTimeout(() => {
      this.#late.add(thread);
      void thread.terminate();
    }, this.#limits.deadline).unref();
  }

  #started(): Worker {
    const thread = this.#start();
    let cause = 'it ended';
    thread.on('message', (answered: Answered) => {
      // Of a thread that is being ended, an answer comes too late: it takes no other call.
      if (this.#late.has(thread)) return;
      const job = this.#taken(thread);
      this.#idle.push(thread);
      job?.resolve(answered);
      this.#next();
    });
    thread.on('error', (thrown: unknown) => (cause = messageOf(thrown)));
    thread.on('exit', () => {
      const at = this.#idle.indexOf(thread);
      if (at !== -1) this.#idle.splice(at, 1);
      const why = this.#late.delete(thread) ? `it took more than ${this.#limits.deadline / 1000} seconds` : cause;
      this.#taken(thread)?.reject(new SlipwayError('Unavailable', `cannot answer: its thread broke: ${why}`));
      this.#next();
    });
    return thread;
  }

  #taken(thread: Worker): Job | undefined {
    const job = this.#jobs.get(thread);
    clearTimeout(job?.timer);
    this.#jobs.delete(thread);
    return job;
  }
}
