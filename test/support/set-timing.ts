/** Time that a test lets pass, and a clock that it sets. Timers run in their order when time passes. */
import type { Timing } from '#lib/kube/timing.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

export class SetTiming implements Timing {
  #now: number;
  #order = 0;
  /** Milliseconds that the clock is ahead of the time that passed. */
  #ahead = 0;
  readonly #timers = new Set<Timer>();

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now + this.#ahead;
  }

  elapsed(): number {
    return this.#now;
  }

  after(seconds: number, run: () => void): () => void {
    const timer = { at: this.#now + seconds * 1000, order: (this.#order += 1), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Sets the clock; no time passes. @param seconds  negative: back */
  setClock(seconds: number): void {
    this.#ahead += seconds * 1000;
  }

  /** Milliseconds of the next timer; undefined: there is none. */
  get next(): number | undefined {
    return this.#earliest()?.at;
  }

  /** Goes to a time, and runs what is due then and was not run. */
  goTo(time: number): void {
    this.#now = Math.max(this.#now, time);
    for (let due = this.#earliest(); due !== undefined && due.at <= this.#now; due = this.#earliest()) {
      this.#timers.delete(due);
      due.run();
    }
  }

  #earliest(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers)
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        first = timer;
    return first;
  }
}
