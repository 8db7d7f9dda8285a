/** The table that `npm run sim` prints: a row for each scenario. */
import { styleFor } from '../../cli/terminal/style.ts';
import type { Run } from './run.ts';

/** What came of some seeds of one scenario. */
export interface Tally {
  readonly runs: number;
  readonly steps: number;
  readonly longest: number;
  readonly seconds: number;
  /** The first seed that violated an invariant; undefined: none did. */
  readonly first: Pick<Run, 'seed' | 'broken'> | undefined;
}

export function sum(left: Tally | undefined, right: Tally): Tally {
  if (left === undefined) return right;
  const firsts = [left.first, right.first].filter((one) => one !== undefined).toSorted((a, b) => a.seed - b.seed);
  return {
    runs: left.runs + right.runs,
    steps: left.steps + right.steps,
    longest: Math.max(left.longest, right.longest),
    seconds: left.seconds + right.seconds,
    first: firsts[0],
  };
}

const style = styleFor(process.stdout);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Rows in their order, each as soon as it and those before it have ended. */
export class Table {
  readonly #tallies = new Map<string, Tally>();
  readonly #rows: string[];
  readonly #seeds: number;
  readonly #again: (row: string, seed: number) => string;
  readonly #width: number;

  /** @param again the command that repeats one seed of a row */
  constructor(rows: readonly string[], seeds: number, again: (row: string, seed: number) => string) {
    this.#rows = [...rows];
    this.#seeds = seeds;
    this.#again = again;
    this.#width = Math.max(...rows.map(({ length }) => length));
    print(`${'scenario'.padEnd(this.#width)}   seeds    steps  longest  seconds`);
  }

  add(row: string, tally: Tally): void {
    this.#tallies.set(row, sum(this.#tallies.get(row), tally));
    for (let next = this.#rows[0]; next !== undefined; next = this.#rows[0]) {
      const whole = this.#tallies.get(next);
      if (whole?.runs !== this.#seeds) return;
      this.#rows.shift();
      this.#print(next, whole);
    }
  }

  #print(row: string, { runs, steps, longest, seconds, first }: Tally): void {
    const cells = [
      String(runs).padStart(7),
      String(steps).padStart(8),
      String(longest).padStart(8),
      seconds.toFixed(1).padStart(8),
    ];
    const broken = first === undefined ? '' : `  ${style('bad', 'broken')}`;
    print(`${row.padEnd(this.#width)} ${cells.join(' ')}${broken}`);
    if (first === undefined) return;
    process.exitCode = 1;
    print(`  seed ${first.seed}: ${first.broken}`);
    print(`  again: ${this.#again(row, first.seed)}`);
  }
}
