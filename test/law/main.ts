/**
 * Calls the functions of a pool with invalid requests for a given time, on every core, and judges each response. `npm
 * run law -- --help` lists the options.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Tried, tryBySeed } from './run.ts';
import { runCommand, wholeNumber } from '../support/command-line.ts';

const HELP = `Usage: npm run law -- [--minutes N] [--from SEED] [--seed N]

Plays pools, and asks their functions at every step with requests that are wrong somewhere: fields taken away or made
something else, labels lost, machines not shown or shown as another version, lists and contracts cut short. No answer may
let go of more machines than the budget allows, and no call may crash.

  --minutes N   how long (1)
  --from SEED   the first seed (1)
  --seed N      this seed only, and tell what was wrong

Exit code 1: an answer broke the law, or a call crashed.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '1' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (values.seed !== undefined) return tell(await tryBySeed(wholeNumber('--seed', values.seed)));
  await all(wholeNumber('--minutes', values.minutes, 1) * 60_000, wholeNumber('--from', values.from));
}

function tell({ broken, objection, ...tally }: Tried): void {
  console.log(JSON.stringify(tally));
  if (objection !== undefined) console.log(`the law refused: ${objection}`);
  if (broken === undefined) return;
  console.log(broken);
  process.exitCode = 1;
}

async function all(milliseconds: number, from: number): Promise<void> {
  const end = Date.now() + milliseconds;
  const sum = { seeds: 0, answered: 0, refused: 0, unlawful: 0, gone: 0 };
  let next = from;
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      const worker = new Worker(new URL(import.meta.url), { workerData: 'law' });
      while (Date.now() < end && process.exitCode !== 1) {
        const tried = await asked(worker, next++);
        sum.seeds += 1;
        for (const count of ['answered', 'refused', 'unlawful', 'gone'] as const) sum[count] += tried[count];
        if (tried.broken === undefined) continue;
        console.log(`seed ${tried.seed}: ${tried.broken}\nagain: npm run law -- --seed ${tried.seed}`);
        process.exitCode = 1;
      }
      await worker.terminate();
    }),
  );
  const { seeds, answered, refused, unlawful, gone } = sum;
  console.log(
    `${seeds} pools, ${answered} requests answered, ${refused} refused, ${unlawful} kept from removing too much; ${gone} machines let go, ${process.exitCode === 1 ? 'not all' : 'all'} within the budget`,
  );
}

function asked(worker: Worker, seed: number): Promise<Tried> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (tried: Tried) => {
      worker.off('error', reject);
      resolve(tried);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(seed);
  });
}

async function answer(seed: number): Promise<void> {
  const tried = await tryBySeed(seed);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(tried);
}

if (isMainThread) await runCommand(main);
else if (workerData === 'law') parentPort?.on('message', (seed: number) => void answer(seed));
