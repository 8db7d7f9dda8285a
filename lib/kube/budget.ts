/**
 * What one API of somebody else may cost: requests, bytes, events, time, and what is kept of it. One that exceeds it is
 * cut off for a while, alone: nothing is asked of it, what is under way ends, and caches let go of what they have.
 */
import { doubled } from './backoff.ts';
import { Unreachable } from './refusal.ts';
import type { Timing } from './timing.ts';
import { type Rate, Tokens } from './tokens.ts';
import { MIB } from './exchange.ts';

/** A cluster of 5,000 Nodes with 150 labels and 50 images each, listed anew, is within them. */
export const LIMITS = {
  /** They wait for their turn. */
  requests: { perSecond: 100, burst: 1000 },
  /** As that cluster sends its Nodes, each has up to 50 KiB. */
  bytes: { perSecond: 8 * MIB, burst: 256 * MIB },
  /** Of watches. */
  events: { perSecond: 1000, burst: 20_000 },
  /** Of one answer, in bytes: as objects in memory it is up to twenty times as large. */
  answer: 4 * MIB,
  /** Of one list. In this many seconds. */
  list: { page: 100, pages: 2000, emptyPages: 3, seconds: 120 },
  /** Of all caches, and of each list, in bytes of memory. Half of it is enough for its Nodes. */
  kept: 48 * MIB,
} as const;

/** Seconds. */
const CUT_OFF = { least: 60, most: 600 } as const;

/** Characters for each opening bracket: fields that are managed, the densest part of an object, have about 12. */
const BRACKETS = { each: 8, free: 1000 } as const;

export class Budget {
  readonly #timing: Timing;
  readonly #onCutOff: (why: string, seconds: number) => void;
  readonly #requests: Tokens;
  readonly #bytes: Tokens;
  readonly #events: Tokens;
  /** Bytes of memory, by who keeps them. */
  readonly #kept = new Map<object, number>();
  #ended = new AbortController();
  /** Of the elapsed time. */
  #until = -Infinity;
  #why = '';
  /** In a row. */
  #times = 0;

  constructor(timing: Timing, onCutOff: (why: string, seconds: number) => void = () => undefined) {
    this.#timing = timing;
    this.#onCutOff = onCutOff;
    this.#requests = new Tokens(timing, LIMITS.requests);
    this.#bytes = new Tokens(timing, LIMITS.bytes);
    this.#events = new Tokens(timing, LIMITS.events);
  }

  /** Why the API is cut off; undefined: it is not. */
  get why(): string | undefined {
    return this.#timing.elapsed() < this.#until ? this.#why : undefined;
  }

  /** Aborted when the API is cut off. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Before anything is asked. Resolves when it is the turn of a request. @param begin  of messages */
  async turn(begin: string): Promise<void> {
    this.check(begin);
    while (!this.#requests.take()) {
      await new Promise<void>((resolve) => this.#timing.after(this.#requests.wait, resolve));
      this.check(begin);
    }
  }

  /** Throws Unreachable while the API is cut off. */
  check(begin: string): void {
    const { why } = this;
    if (why === undefined) return;
    const retryAfter = (this.#until - this.#timing.elapsed()) / 1000;
    throw new Unreachable(begin, { kind: 'CutOff', why, retryAfter });
  }

  /** Bytes came. */
  came(bytes: number): void {
    if (!this.#bytes.take(bytes)) this.cutOff(tooMuch(LIMITS.bytes, MIB, 'MiB'));
  }

  /** Before a text is read: one of nothing but empty objects takes twenty times its length in memory. */
  reads(text: string): void {
    if (bracketsIn(text) > text.length / BRACKETS.each + BRACKETS.free)
      this.cutOff('an answer has more objects than any of Kubernetes');
  }

  /** An event came. */
  happened(): void {
    if (!this.#events.take()) this.cutOff(tooMuch(LIMITS.events, 1, 'events'));
  }

  /** @param owner  a cache @param bytes  all that it keeps now */
  keep(owner: object, bytes: number): void {
    if (bytes === 0) this.#kept.delete(owner);
    else this.#kept.set(owner, bytes);
    const sum = this.#kept.values().reduce((total, one) => total + one, 0);
    if (sum > LIMITS.kept) this.cutOff(`its objects take more than ${LIMITS.kept / MIB} MiB of memory`);
  }

  cutOff(why: string): void {
    if (this.why !== undefined) return;
    const now = this.#timing.elapsed();
    this.#times = now - this.#until > CUT_OFF.most * 1000 ? 1 : this.#times + 1;
    const seconds = doubled(CUT_OFF, this.#times);
    this.#until = now + seconds * 1000;
    this.#why = `cut off for ${seconds} s: ${why}`;
    this.#ended.abort();
    this.#ended = new AbortController();
    this.#onCutOff(this.#why, seconds);
  }
}

function bracketsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) count += 1;
  }
  return count;
}

function tooMuch({ perSecond, burst }: Rate, size: number, unit: string): string {
  return `it sent more than ${burst / size} ${unit} at once and then ${perSecond / size} per second`;
}

/** About as many bytes as a value takes in memory: small values take far more than as text. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + 8 + weightOf(one), 32);
  return Object.entries(value).reduce((sum, [key, one]) => sum + 24 + key.length + weightOf(one), 56);
}
