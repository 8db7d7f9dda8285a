/** Randomness by seed and name: the same name always gives the same result, in any order of calls. */
import { hash } from 'node:crypto';

export class Dice {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** A number from 0 up to but not including 1. */
  roll(...question: readonly (string | number)[]): number {
    return this.#digest(question).readUInt32BE(0) / 0x1_0000_0000;
  }

  /** A number within a range. */
  between(low: number, high: number, ...question: readonly (string | number)[]): number {
    return low + (high - low) * this.roll(...question);
  }

  /** Lower-case hexadecimal digits, at most 64. */
  hex(length: number, ...question: readonly (string | number)[]): string {
    return this.#digest(question).toString('hex').slice(0, length);
  }

  uuid(...question: readonly (string | number)[]): string {
    const hex = this.hex(32, 'uuid', ...question);
    return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join(
      '-',
    );
  }

  #digest(question: readonly (string | number)[]): Buffer {
    return hash('sha256', `${this.#seed}\0${question.join('\0')}`, 'buffer');
  }
}
