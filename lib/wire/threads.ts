/**
 * Calls on threads of their own, so that health probes never wait for one. Each thread has one call at a time. One that
 * breaks, or does not end in time, fails its call, and the next call gets another.
 */
import { once } from 'node:events';
import type { ResourceLimits, Worker } from 'node:worker_threads';
import { messageOf, SlipwayError } from '#lib/api/errors.ts';
import type { Answered } from './shell.ts';

/** What a thread gets. */
export interface ThreadCall {
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a thread says once: it takes calls. */
export const READY = 'ready';

export interface ThreadLimits {
  readonly threads: number;
  /** Milliseconds after which calls no longer wait for the threads that there are, and get a further one. */
  readonly patience: number;
  /** Bytes of requests that wait for a thread. */
  readonly waiting: number;
  /** Milliseconds for one call. A thread that takes longer is ended: it would keep its place for ever. */
  readonly deadline: number;
  /** MiB of objects for one call. A thread that needs more is ended: the process would be. */
  readonly heap: number;
}

/** Milliseconds between two looks at the memory of a call. */
const LOOK = 50;

/**
 * MiB that V8 grants above the limit, for what a call allocates between two looks. V8 ends the process and not the thread
 * if one allocation alone is beyond its own limit.
 */
const ROOM = 1024;

interface Job {
  readonly call: ThreadCall;
  /** Whether somebody still waits for the answer. */
  readonly isWanted: () => boolean;
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: SlipwayError) => void;
}

interface Given extends Job {
  /** When it ends, and when the next call stops waiting for it. */
  readonly timers: readonly NodeJS.Timeout[];
  /** Looks at its memory. */
  readonly watch: NodeJS.Timeout;
  readonly since: number;
}

type TooMuch = 'DeadlineExceeded' | 'MemoryExceeded';

export class Threads {
  readonly #start: (limits: ResourceLimits) => Worker;
  readonly #limits: ThreadLimits;
  readonly #idle: Worker[] = [];
  readonly #jobs = new Map<Worker, Given>();
  /** Threads that are being ended because they took too much. */
  readonly #ending = new Map<Worker, TooMuch>();
  readonly #waiting: Job[] = [];
  #waitingBytes = 0;

  /** @param start starts a thread that calls `answerCalls` */
  constructor(start: (limits: ResourceLimits) => Worker, limits: ThreadLimits) {
    this.#start = start;
    this.#limits = limits;
  }

  /** Starts the first thread, and waits until it takes calls. Throws SlipwayError Unavailable if it does not. */
  async begin(): Promise<void> {
    const thread = this.#started();
    const ended = once(thread, 'exit').then(() => Promise.reject(new Error('it ended')));
    try {
      await Promise.race([once(thread, 'message'), ended]);
      this.#idle.push(thread);
    } catch (thrown) {
      throw new SlipwayError('Unavailable', `cannot start a thread: ${messageOf(thrown)}`, { cause: thrown });
    }
  }

  /**
   * Throws SlipwayError Unavailable if too much waits already, or if the thread broke; DeadlineExceeded or MemoryExceeded
   * if it took too much.
   */
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
    while (this.#idle.length > 0 || this.#mayStart()) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      this.#waitingBytes -= job.call.bytes.length;
      if (job.isWanted()) this.#give(job);
      else job.reject(new SlipwayError('Unavailable', 'cannot answer: nobody waits for it'));
    }
  }

  #mayStart(): boolean {
    const { threads, patience } = this.#limits;
    const latest = performance.now() - patience;
    return this.#jobs.size < threads && [...this.#jobs.values()].every(({ since }) => since <= latest);
  }

  #give(job: Job): void {
    const thread = this.#thread(job);
    if (thread === undefined) return;
    const [timers, watch] = [this.#timers(thread), this.#watch(thread)];
    this.#jobs.set(thread, { ...job, timers, watch, since: performance.now() });
    try {
      // A copy: the bytes of gRPC may be part of a buffer with other messages.
      const bytes = new Uint8Array(job.call.bytes);
      const call: ThreadCall = { bytes, now: job.call.now };
      thread.postMessage(call, [bytes.buffer]);
    } catch (thrown) {
      // It was given nothing, so that it takes another call.
      this.#taken(thread);
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
  #timers(thread: Worker): readonly NodeJS.Timeout[] {
    const { deadline, patience } = this.#limits;
    const end = setTimeout(() => this.#end(thread, 'DeadlineExceeded'), deadline);
    // A millisecond more: timers may be early by a part of one.
    return [end.unref(), setTimeout(() => this.#next(), patience + 1).unref()];
  }

  #watch(thread: Worker): NodeJS.Timeout {
    const look = async (): Promise<void> => {
      const { used_heap_size: used } = await thread.getHeapStatistics();
      if (used > this.#limits.heap * 1024 * 1024 && this.#jobs.has(thread)) this.#end(thread, 'MemoryExceeded');
    };
    // A thread that has ended has no memory.
    return setInterval(() => void look().catch(() => undefined), LOOK).unref();
  }

  #end(thread: Worker, why: TooMuch): void {
    this.#ending.set(thread, why);
    void thread.terminate();
  }

  #started(): Worker {
    const thread = this.#start({ maxOldGenerationSizeMb: this.#limits.heap + ROOM });
    let cause: unknown = new Error('it ended');
    thread.on('message', (answered: Answered | typeof READY) => {
      if (answered === READY) return;
      // Of a thread that is being ended, an answer comes too late: it takes no other call.
      if (this.#ending.has(thread)) return;
      const job = this.#taken(thread);
      this.#idle.push(thread);
      job?.resolve(answered);
      this.#next();
    });
    thread.on('error', (thrown: unknown) => (cause = thrown));
    thread.on('exit', () => {
      const at = this.#idle.indexOf(thread);
      if (at !== -1) this.#idle.splice(at, 1);
      const why = this.#ending.get(thread);
      this.#ending.delete(thread);
      this.#taken(thread)?.reject(why === undefined ? this.#broken(cause) : this.#tooMuch(why));
      this.#next();
    });
    return thread;
  }

  #broken(cause: unknown): SlipwayError {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') return this.#tooMuch('MemoryExceeded');
    return new SlipwayError('Unavailable', `cannot answer: its thread broke: ${messageOf(cause)}`);
  }

  #tooMuch(code: TooMuch): SlipwayError {
    const { deadline, heap } = this.#limits;
    const much = code === 'DeadlineExceeded' ? `${deadline / 1000} seconds` : `${heap} MiB of memory`;
    return new SlipwayError(code, `cannot answer: it takes more than ${much}`);
  }

  #taken(thread: Worker): Job | undefined {
    const job = this.#jobs.get(thread);
    for (const timer of job?.timers ?? []) clearTimeout(timer);
    clearInterval(job?.watch);
    this.#jobs.delete(thread);
    return job;
  }
}
