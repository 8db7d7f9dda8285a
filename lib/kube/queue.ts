/**
 * Keys of objects that have to be looked at. A key runs once at a time; what is added while it runs makes it run again
 * afterwards. Failures are tried again, later each time. One slow group does not keep the others waiting.
 */
import { doubled } from './backoff.ts';
import type { Timing } from './timing.ts';

export interface QueueParts {
  readonly timing: Timing;
  /** Looks at the object. The result: seconds until the next look, or nothing. A rejection is a failure. */
  readonly run: (key: string) => Promise<number | undefined>;
  /** @param retryAfter  seconds */
  readonly onFailure: (key: string, thrown: unknown, retryAfter: number) => void;
  /** Keys that share something slow, such as a workload cluster. @default all keys in one group without a limit */
  readonly groupOf?: (key: string) => string | undefined;
  /** Runs at the same time, of all keys and of a group. */
  readonly most?: { readonly all: number; readonly group: number };
  /** Runs per second, and how many at once after a quiet time. */
  readonly rate?: { readonly perSecond: number; readonly burst: number };
}

/** Seconds between attempts. */
const RETRY = { least: 1, most: 300 } as const;
const MOST = { all: 32, group: 4 } as const;
const RATE = { perSecond: 10, burst: 100 } as const;

export class Queue {
  readonly #parts: QueueParts & Required<Pick<QueueParts, 'most' | 'rate'>>;
  /** In the order they were added. */
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #groups = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  /** By key: cancels the timer, and when it is due. */
  readonly #later = new Map<string, { readonly due: number; readonly cancel: () => void }>();
  #tokens: number;
  #filled: number;
  #refill: (() => void) | undefined;
  #isStopped = false;

  constructor(parts: QueueParts) {
    this.#parts = { most: MOST, rate: RATE, ...parts };
    this.#tokens = this.#parts.rate.burst;
    this.#filled = parts.timing.now();
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
    this.#forget(key);
    this.#waiting.add(key);
    this.#next();
  }

  /** Runs it after so many seconds, or earlier when it is already due earlier. */
  after(key: string, seconds: number): void {
    if (this.#isStopped || this.#waiting.has(key)) return;
    const { timing } = this.#parts;
    const due = timing.now() + seconds * 1000;
    const planned = this.#later.get(key);
    if (planned !== undefined && planned.due <= due) return;
    planned?.cancel();
    this.#later.set(key, { due, cancel: timing.after(seconds, () => this.add(key)) });
  }

  /** For an object that is gone. */
  forget(key: string): void {
    this.#forget(key);
    this.#waiting.delete(key);
    this.#failures.delete(key);
  }

  /** Starts nothing more, and waits for what runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const key of this.#later.keys()) this.#forget(key);
    this.#waiting.clear();
    this.#refill?.();
    await Promise.all(this.#running.values());
  }

  #next(): void {
    for (const key of this.#waiting) {
      if (this.#isStopped || this.#running.size >= this.#parts.most.all) return;
      if (this.#running.has(key) || this.#isFull(key)) continue;
      if (!this.#takeToken()) return;
      this.#waiting.delete(key);
      this.#start(key);
    }
  }

  #start(key: string): void {
    const group = this.#parts.groupOf?.(key);
    if (group !== undefined) this.#groups.set(group, (this.#groups.get(group) ?? 0) + 1);
    const ended = this.#run(key).finally(() => {
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
      const seconds = doubled(RETRY, failures);
      this.#parts.onFailure(key, thrown, seconds);
      this.after(key, seconds);
    }
  }

  #isFull(key: string): boolean {
    const group = this.#parts.groupOf?.(key);
    return group !== undefined && (this.#groups.get(group) ?? 0) >= this.#parts.most.group;
  }

  #leave(group: string): void {
    const left = (this.#groups.get(group) ?? 1) - 1;
    if (left === 0) this.#groups.delete(group);
    else this.#groups.set(group, left);
  }

  #takeToken(): boolean {
    const { timing, rate } = this.#parts;
    const now = timing.now();
    // A clock that was set back fills nothing, and does no harm.
    this.#tokens = Math.min(rate.burst, this.#tokens + (Math.max(0, now - this.#filled) / 1000) * rate.perSecond);
    this.#filled = now;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return true;
    }
    this.#refill ??= timing.after((1 - this.#tokens) / rate.perSecond, () => {
      this.#refill = undefined;
      this.#next();
    });
    return false;
  }

  #forget(key: string): void {
    this.#later.get(key)?.cancel();
    this.#later.delete(key);
  }
}
