/**
 * Keys of objects that have to be looked at. A key runs once at a time; what is added while it runs makes it run again
 * afterwards. Failures are tried again, later each time. One slow group does not keep the others waiting.
 */
import { doubled } from './backoff.ts';
import { KubeRefusal } from './refusal.ts';
import type { Timing } from './timing.ts';
import { type Rate, Tokens } from './tokens.ts';
import { Turns } from './turns.ts';

export interface QueueParts {
  readonly timing: Timing;
  /** Looks at the object. The result: seconds until the next look, or nothing. A rejection is a failure. */
  readonly run: (key: string) => Promise<number | undefined>;
  /** @param retryAfter  seconds */
  readonly onFailure: (key: string, thrown: unknown, retryAfter: number) => void;
  /** Keys that share something slow, such as a workload cluster. @default all keys in one group without a limit */
  readonly groupOf?: (key: string) => string | undefined;
  /** Runs at the same time, of all keys and of a group. @default 256 and 4 */
  readonly most?: { readonly all: number; readonly group: number };
  /** Runs that begin. @default 10 per second, 100 at once after a quiet time */
  readonly rate?: Rate;
}

/** Seconds between attempts. */
const RETRY = { least: 1, most: 300 } as const;
/** Of all keys so many that sixty groups whose runs all hang do not keep the next one waiting. */
const MOST = { all: 256, group: 4 } as const;
const RATE: Rate = { perSecond: 10, burst: 100 };

export class Queue {
  readonly #parts: QueueParts & Required<Pick<QueueParts, 'most'>>;
  readonly #waiting = new Turns();
  readonly #running = new Map<string, Promise<void>>();
  /** By group: how many of it run. */
  readonly #groups = new Map<string, number>();
  /** By key: in a row. */
  readonly #failures = new Map<string, number>();
  /** By key: cancels the timer, and when it is due, in elapsed time. */
  readonly #later = new Map<string, { readonly due: number; readonly cancel: () => void }>();
  readonly #tokens: Tokens;
  #refill: (() => void) | undefined;
  #isStopped = false;

  constructor(parts: QueueParts) {
    this.#parts = { most: MOST, ...parts };
    this.#tokens = new Tokens(parts.timing, parts.rate ?? RATE);
  }

  /** How many keys wait now, without those that wait for their time. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** Nothing runs, and nothing waits for anything but its time. */
  get isIdle(): boolean {
    return this.#running.size === 0 && this.#waiting.size === 0;
  }

  /** Runs it as soon as it is its turn. */
  add(key: string): void {
    if (this.#isStopped) return;
    this.#cancel(key);
    this.#waiting.add(key, this.#parts.groupOf?.(key));
    this.#next();
  }

  /** Runs it after so many seconds, or earlier when it is already due earlier. */
  after(key: string, seconds: number): void {
    if (this.#isStopped || this.#waiting.has(key)) return;
    const { timing } = this.#parts;
    const due = timing.elapsed() + seconds * 1000;
    const planned = this.#later.get(key);
    if (planned !== undefined && planned.due <= due) return;
    planned?.cancel();
    this.#later.set(key, { due, cancel: timing.after(seconds, () => this.add(key)) });
  }

  /** For an object that is gone. */
  forget(key: string): void {
    this.#cancel(key);
    this.#waiting.delete(key);
    this.#failures.delete(key);
  }

  /** Starts nothing more, and waits for what runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const key of this.#later.keys()) this.#cancel(key);
    this.#waiting.clear();
    this.#refill?.();
    await Promise.all(this.#running.values());
  }

  #next(): void {
    const { all, group: most } = this.#parts.most;
    while (!this.#isStopped && this.#running.size < all) {
      const key = this.#waiting.next(
        (key, group) => !this.#running.has(key) && (group === undefined || (this.#groups.get(group) ?? 0) < most),
      );
      if (key === undefined || !this.#takeToken()) return;
      this.#start(key, this.#waiting.take(key));
    }
  }

  #start(key: string, group: string | undefined): void {
    if (group !== undefined) this.#groups.set(group, (this.#groups.get(group) ?? 0) + 1);
    // It counts as running before it begins: it may add itself.
    const ended = Promise.resolve()
      .then(() => this.#run(key))
      .finally(() => {
        this.#running.delete(key);
        if (group !== undefined) this.#leave(group);
        this.#next();
      });
    this.#running.set(key, ended);
  }

  async #run(key: string): Promise<void> {
    try {
      const again = await this.#parts.run(key);
      this.#failures.delete(key);
      if (again !== undefined) this.after(key, again);
    } catch (thrown) {
      const failures = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, failures);
      const asked = thrown instanceof KubeRefusal ? (thrown.retryAfter ?? 0) : 0;
      const seconds = Math.max(asked, doubled(RETRY, failures));
      this.#parts.onFailure(key, thrown, seconds);
      this.after(key, seconds);
    }
  }

  #leave(group: string): void {
    const left = (this.#groups.get(group) ?? 1) - 1;
    if (left === 0) this.#groups.delete(group);
    else this.#groups.set(group, left);
  }

  #takeToken(): boolean {
    if (this.#tokens.take()) return true;
    this.#refill ??= this.#parts.timing.after(this.#tokens.wait, () => {
      this.#refill = undefined;
      this.#next();
    });
    return false;
  }

  #cancel(key: string): void {
    this.#later.get(key)?.cancel();
    this.#later.delete(key);
  }
}
