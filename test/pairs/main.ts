/**
 * Makes pairs and triples of edits on the simulated cloud. `npm run pairs -- --help` lists the options. Exit code 1:
 * something was found.
 */
import { parseArgs } from 'node:util';
import { searched } from '../plan/search.ts';
import { runCommand, wholeNumber } from '../support/command-line.ts';
import type { Life } from './life.ts';
import { live } from './twin.ts';
import { LIVES } from './trial.ts';

const HELP = `Usage: npm run pairs -- [--lives N] [--seed N] [--case JSON]

Makes a cluster on the simulated cloud, and edits it in rounds of one to three edits at random times: claims, limits of
Compositions, the EnvironmentConfig, deletions. What may never happen is judged at every change, what must hold after
every round.

  --lives N     how many clusters, with some 2.5 rounds each (2000)
  --seed N      draw those that this seed draws
  --case JSON   this one only, and tell what happens
`;

/** Each portion has its own seed, so that what it finds is drawn again quickly. */
const PORTION = 20;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      lives: { type: 'string', default: '2000' },
      seed: { type: 'string' },
      case: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (values.case !== undefined) return tell(JSON.parse(values.case) as Life);
  await all(
    wholeNumber('--lives', values.lives, 1),
    values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('--seed', values.seed),
  );
}

async function tell(life: Life): Promise<void> {
  const { broken, log } = await live(life);
  console.log([...log, '', ...broken].join('\n'));
  if (broken.length > 0) process.exitCode = 1;
}

async function all(lives: number, seed: number): Promise<void> {
  const begun = Date.now();
  for (let done = 0; done < lives; done += PORTION) {
    const found = await searched(LIVES, { runs: Math.min(PORTION, lives - done), seed: seed + done });
    if (found === undefined) continue;
    console.log(`${found}\n`);
    process.exitCode = 1;
  }
  console.log(`${lives} lives from seed ${seed} on, in ${Math.round((Date.now() - begun) / 1000)} s`);
}

await runCommand(main);
