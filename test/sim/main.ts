/**
 * Runs every scenario with many seeds, on every core, and prints a table. `npm run sim -- --help` lists the options.
 * Exit code 1: an invariant was violated; the line has the command to repeat that run.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { styleFor } from '../../cli/terminal/style.ts';
import { type Run, runScenario } from './run.ts';
import { SCENARIOS } from './scenarios.ts';
import { runCommand, wholeNumber } from '../support/command-line.ts';

const HELP = `Usage: npm run sim -- [--scenario NAME] [--seeds N] [--from SEED] [--nightly] [--seed N]

Rolls pools out in a small world where machines never come up, nodes flap, caches lag, Crossplane stops half-way and
people act at random, and checks after every step what must hold. A scenario is a list of cases of one kind – sizes, budgets,
changes – of which a seed takes one: seed modulo their number.

  --scenario NAME  only this one
  --seeds N        how many seeds for each (1000)
  --from SEED      the first seed (1)
  --nightly        10000 seeds for each
  --seed N         this seed only, and tell what happened
`;

const NIGHTLY = 10_000;

const style = styleFor(process.stdout);

interface Task {
  readonly scenario: number;
  readonly from: number;
  readonly to: number;
}

interface Tally {
  readonly runs: number;
  readonly steps: number;
  readonly longest: number;
  readonly seconds: number;
  readonly first: Pick<Run, 'seed' | 'broken'> | undefined;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string' },
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      nightly: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const chosen = SCENARIOS.filter(({ name }) => values.scenario === undefined || values.scenario === name);
  if (chosen.length === 0) {
    console.error(
      `cannot run scenario "${values.scenario}": accepted: ${SCENARIOS.map(({ name }) => name).join('; ')}`,
    );
    process.exitCode = 2;
    return;
  }
  if (values.seed !== undefined) return tell(chosen, wholeNumber('--seed', values.seed));
  const first = wholeNumber('--from', values.from, 1);
  await all(chosen, first, values.nightly ? NIGHTLY : wholeNumber('--seeds', values.seeds, 1));
}

/** One seed, printed step by step. */
async function tell(chosen: typeof SCENARIOS, seed: number): Promise<void> {
  for (const scenario of chosen) {
    const { log, broken, steps } = await runScenario(scenario, seed);
    console.log(
      [
        style('strong', scenario.name),
        ...log,
        broken === undefined ? style('good', `ended after ${steps} steps`) : style('bad', broken),
      ].join('\n'),
    );
    if (broken !== undefined) process.exitCode = 1;
  }
}

/**
 * Cores get seeds in portions, so that none waits long for the others. A row is printed once its scenario has ended.
 */
async function all(chosen: typeof SCENARIOS, first: number, seeds: number): Promise<void> {
  const begun = Date.now();
  const portion = 100;
  const tasks = chosen.flatMap((scenario) =>
    Array.from({ length: Math.ceil(seeds / portion) }, (_, i): Task => ({
      scenario: SCENARIOS.indexOf(scenario),
      from: first + i * portion,
      to: first + Math.min((i + 1) * portion, seeds) - 1,
    })),
  );
  const table = new Table(chosen, seeds);
  const open = [...tasks];
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), tasks.length) }, async () => {
      const worker = new Worker(new URL(import.meta.url), { workerData: 'sim' });
      for (let task = open.shift(); task !== undefined; task = open.shift()) {
        const tally = await asked(worker, task);
        table.add(task.scenario, tally);
      }
      await worker.terminate();
    }),
  );
  console.log(
    `${chosen.length * seeds} roll-outs, seeds ${first} to ${first + seeds - 1}, in ${((Date.now() - begun) / 1000).toFixed(0)} s`,
  );
}

function asked(worker: Worker, task: Task): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const failed = (cause: Error): void => reject(cause);
    worker.once('error', failed);
    worker.once('message', (tally: Tally) => {
      worker.off('error', failed);
      resolve(tally);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(task);
  });
}

function sum(left: Tally | undefined, right: Tally): Tally {
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

function work(): void {
  if (workerData !== 'sim') return;
  parentPort?.on('message', (task: Task) => void answer(task));
}

async function answer(task: Task): Promise<void> {
  const tally = await portion(task);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(tally);
}

async function portion({ scenario, from, to }: Task): Promise<Tally> {
  const begun = Date.now();
  let tally: Tally | undefined;
  for (let seed = from; seed <= to; seed += 1) {
    const { steps, broken } = await runScenario(SCENARIOS[scenario]!, seed);
    const first = broken === undefined ? undefined : { seed, broken };
    tally = sum(tally, { runs: 1, steps, longest: steps, seconds: 0, first });
  }
  return { ...tally!, seconds: (Date.now() - begun) / 1000 };
}

/** Rows in the order of the scenarios, each as soon as it and those before it have ended. */
class Table {
  readonly #tallies = new Map<number, Tally>();
  readonly #rows: number[];
  readonly #seeds: number;
  readonly #width: number;

  constructor(chosen: typeof SCENARIOS, seeds: number) {
    this.#rows = chosen.map((scenario) => SCENARIOS.indexOf(scenario));
    this.#seeds = seeds;
    this.#width = Math.max(...chosen.map(({ name }) => name.length));
    console.log(`${'scenario'.padEnd(this.#width)}   seeds    steps  longest  seconds`);
  }

  add(scenario: number, tally: Tally): void {
    this.#tallies.set(scenario, sum(this.#tallies.get(scenario), tally));
    for (let next = this.#rows[0]; next !== undefined; next = this.#rows[0]) {
      const whole = this.#tallies.get(next);
      if (whole?.runs !== this.#seeds) return;
      this.#rows.shift();
      this.#print(SCENARIOS[next]!.name, whole);
    }
  }

  #print(name: string, { runs, steps, longest, seconds, first }: Tally): void {
    const cells = [
      String(runs).padStart(7),
      String(steps).padStart(8),
      String(longest).padStart(8),
      seconds.toFixed(1).padStart(8),
    ];
    const broken = first === undefined ? '' : `  ${style('bad', 'broken')}`;
    console.log(`${name.padEnd(this.#width)} ${cells.join(' ')}${broken}`);
    if (first === undefined) return;
    process.exitCode = 1;
    console.log(`  seed ${first.seed}: ${first.broken}`);
    console.log(`  again: npm run sim -- --scenario '${name}' --seed ${first.seed}`);
  }
}

if (isMainThread) await runCommand(main);
else work();
