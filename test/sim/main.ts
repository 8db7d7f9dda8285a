/**
 * Runs every scenario with many seeds, on every core, and prints a table. `npm run sim -- --help` lists the options.
 * Exit code 1: an invariant was violated; the line has the command to repeat that run.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { styleFor } from '../../cli/terminal/style.ts';
import { AWS, type Flavour, FLAVOURS } from './flavours.ts';
import { runScenario } from './run.ts';
import { SCENARIOS } from './scenarios.ts';
import { sum, Table, type Tally } from './table.ts';
import { oneOf, runCommand, wholeNumber } from '../support/command-line.ts';

const HELP = `Usage: npm run sim -- [--flavor NAME] [--scenario NAME] [--seeds N] [--from SEED] [--nightly] [--seed N]

Rolls pools out in a small world where machines never come up, nodes flap, caches lag, Crossplane stops half-way and
people act at random, and checks after every step what must hold. A scenario is a list of cases of one kind – sizes, budgets,
changes – of which a seed takes one: seed modulo their number.

  --flavor NAME    with the rules and zones of this flavour (aws); may be repeated
  --scenario NAME  only this one
  --seeds N        how many seeds for each (1000)
  --from SEED      the first seed (1)
  --nightly        10000 seeds for each
  --seed N         this seed only, and tell what happened
`;

const NIGHTLY = 10_000;

const style = styleFor(process.stdout);

interface Task {
  readonly flavour: string;
  readonly scenario: number;
  readonly from: number;
  readonly to: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      flavor: { type: 'string', multiple: true, default: ['aws'] },
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
  const flavours = values.flavor.map(flavourNamed);
  if (values.seed !== undefined) return tell(flavours, chosen, wholeNumber('--seed', values.seed));
  const first = wholeNumber('--from', values.from, 1);
  const seeds = values.nightly ? NIGHTLY : wholeNumber('--seeds', values.seeds, 1);
  await all(flavours, chosen, first, seeds);
}

function flavourNamed(text: string): Flavour {
  const names = FLAVOURS.map(({ name }) => name);
  return FLAVOURS[names.indexOf(oneOf('--flavor', text, names))]!;
}

/** One seed, printed step by step. */
async function tell(flavours: readonly Flavour[], chosen: typeof SCENARIOS, seed: number): Promise<void> {
  for (const flavour of flavours)
    for (const scenario of chosen) {
      const { log, broken, steps } = await runScenario(scenario, seed, flavour);
      console.log(
        [
          style('strong', rowOf(flavour.name, scenario.name)),
          ...log,
          broken === undefined ? style('good', `ended after ${steps} steps`) : style('bad', broken),
        ].join('\n'),
      );
      if (broken !== undefined) process.exitCode = 1;
    }
}

/** Cores get seeds in portions, so that none waits long for the others. */
async function all(
  flavours: readonly Flavour[],
  chosen: typeof SCENARIOS,
  first: number,
  seeds: number,
): Promise<void> {
  const begun = Date.now();
  const portion = 100;
  const rows = flavours.flatMap(({ name }) => chosen.map((scenario) => ({ flavour: name, scenario })));
  const tasks = rows.flatMap(({ flavour, scenario }) =>
    Array.from({ length: Math.ceil(seeds / portion) }, (_, i): Task => ({
      flavour,
      scenario: SCENARIOS.indexOf(scenario),
      from: first + i * portion,
      to: first + Math.min((i + 1) * portion, seeds) - 1,
    })),
  );
  const commands = new Map(
    rows.map(({ flavour, scenario }) => [rowOf(flavour, scenario.name), again(flavour, scenario.name)]),
  );
  const table = new Table([...commands.keys()], seeds, (row, seed) => `${commands.get(row)} --seed ${seed}`);
  const open = [...tasks];
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), tasks.length) }, async () => {
      const worker = new Worker(new URL(import.meta.url), { workerData: 'sim' });
      for (let task = open.shift(); task !== undefined; task = open.shift()) {
        const tally = await asked(worker, task);
        table.add(rowOf(task.flavour, SCENARIOS[task.scenario]!.name), tally);
      }
      await worker.terminate();
    }),
  );
  console.log(
    `${rows.length * seeds} roll-outs, seeds ${first} to ${first + seeds - 1}, in ${((Date.now() - begun) / 1000).toFixed(0)} s`,
  );
}

const isDefault = (flavour: string): boolean => flavour === AWS.name;

function rowOf(flavour: string, scenario: string): string {
  return isDefault(flavour) ? scenario : `${flavour}: ${scenario}`;
}

function again(flavour: string, scenario: string): string {
  return `npm run sim -- ${isDefault(flavour) ? '' : `--flavor ${flavour} `}--scenario '${scenario}'`;
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

function work(): void {
  if (workerData !== 'sim') return;
  parentPort?.on('message', (task: Task) => void answer(task));
}

async function answer(task: Task): Promise<void> {
  const tally = await portion(task);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(tally);
}

async function portion({ flavour, scenario, from, to }: Task): Promise<Tally> {
  const begun = Date.now();
  const on = flavourNamed(flavour);
  let tally: Tally | undefined;
  for (let seed = from; seed <= to; seed += 1) {
    const { steps, broken } = await runScenario(SCENARIOS[scenario]!, seed, on);
    const first = broken === undefined ? undefined : { seed, broken };
    tally = sum(tally, { runs: 1, steps, longest: steps, seconds: 0, first });
  }
  return { ...tally!, seconds: (Date.now() - begun) / 1000 };
}

if (isMainThread) await runCommand(main);
else work();
