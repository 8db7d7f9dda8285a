/** A region of the terminal that is redrawn while something is running. */
import { counted } from '#lib/api/counted.ts';
import { cutAt, widthOf, withoutColours } from './width.ts';

export interface Screen {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Draws at most ten times a second, and for at most a tenth of the time; lines and rows that do not fit the screen are cut, never wrapped. */
export class LiveRegion {
  readonly #screen: Screen;
  readonly #now: () => number;
  #height = 0;
  #nextAt = -Infinity;

  /** @param now a monotonic clock, in milliseconds */
  constructor(screen: Screen, now: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#now = now;
  }

  draw(lines: () => readonly string[], force = false): void {
    const began = this.#now();
    if (!force && began < this.#nextAt) return;
    // A terminal may say that it has none.
    const columns = this.#screen.columns || 80;
    const rows = this.#screen.rows || 24;
    const all = lines();
    const room = Math.max(1, rows - 2);
    const shown = all.length < rows ? all : [...all.slice(0, room), `… ${counted(all.length - room, 'more line')}`];
    this.#screen.write(
      `${this.#up()}${shown.map((line) => `${cut(line, Math.max(1, columns - 1))}\u001B[K`).join('\n')}\n`,
    );
    this.#height = shown.length;
    const ended = this.#now();
    this.#nextAt = Math.max(began + 100, ended + 9 * (ended - began));
  }

  /** Removes the region before other output. */
  clear(): void {
    if (this.#height > 0) this.#screen.write(this.#up());
    this.#height = 0;
  }

  #up(): string {
    return this.#height === 0 ? '' : `\u001B[${this.#height}F\u001B[J`;
  }
}

/** Cuts by visible width; a cut line loses its colours instead of leaving them open. */
function cut(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  return `${cutAt(withoutColours(line), Math.max(0, width - 1))[0]}…`;
}
