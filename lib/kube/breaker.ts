/** Stops asking an API that does not answer, so that not everything waits for its time limits. */
import type { Timing } from './timing.ts';

/** Requests in a row without an answer. */
const FAILURES = 5;
/** Seconds. */
const PAUSE = 30;

export class Breaker {
  readonly #timing: Timing;
  #failures = 0;
  #why = '';
  /** Of the elapsed time. */
  #until = 0;

  constructor(timing: Timing) {
    this.#timing = timing;
  }

  /**
   * Why no request is sent now: why the last one failed. Undefined: one may be sent. After a pause only one is, and
   * others wait for another pause unless it succeeds.
   */
  reason(): string | undefined {
    if (this.#failures < FAILURES) return undefined;
    if (this.#timing.elapsed() < this.#until) return this.#why;
    this.#rest();
    return undefined;
  }

  /** There was an answer, whatever it said. */
  succeeded(): void {
    this.#failures = 0;
  }

  failed(why: string): void {
    this.#why = why;
    this.#failures += 1;
    this.#rest();
  }

  #rest(): void {
    this.#until = this.#timing.elapsed() + PAUSE * 1000;
  }
}
