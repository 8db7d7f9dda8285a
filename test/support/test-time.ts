/** Time that passes only when a test says so, and a clock that can be set like a real one. */
import type { Timing } from '#lib/kube/timing.ts';

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

export class TestTime implements Timing {
  #elapsed = 0;
  /** What the clock shows, less the time that passed. */
  #offset = Date.parse('2026-01-01T00:00:00Z');
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#elapsed + this.#offset;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(seconds: number, run: () => void): () => void {
    const timer = { due: this.#elapsed + seconds * 1000, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Sets the clock; no time passes. @param seconds  negative: back */
  setClock(seconds: number): void {
    this.#offset += seconds * 1000;
  }

  /** What is waited for, in seconds from now, the next first. */
  get waits(): readonly number[] {
    return [...this.#timers].map(({ due }) => (due - this.#elapsed) / 1000).toSorted((one, other) => one - other);
  }

  /** Passes time; timers run in their order, also those that were started meanwhile. */
  pass(seconds: number): void {
    const end = this.#elapsed + seconds * 1000;
    for (;;) {
      const [next] = [...this.#timers].filter(({ due }) => due <= end).toSorted((one, other) => one.due - other.due);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#elapsed = Math.max(this.#elapsed, next.due);
      next.run();
    }
    this.#elapsed = end;
  }
}

/** Waits for something real, such as bytes of a socket; the time limit of the test ends what never comes. */
export async function until(fact: () => boolean): Promise<void> {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Lets everything run that waits for nothing. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
