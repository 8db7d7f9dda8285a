/**
 * Compares what `slipway plan` announces with what happens then, for generated pairs of state and edit. `npm run
 * plan:outcome -- --help` lists the options. Exit code 1: a pair was found for which the two differ.
 */
import { parseArgs } from 'node:util';
import { printed } from '../../cli/plan/print.ts';
import type { Case } from './case.ts';
import { compare } from './compare.ts';
import { search } from './search.ts';
import { runCommand, wholeNumber } from '../support/command-line.ts';

const HELP = `Usage: npm run plan:outcome -- [--runs N] [--seed N] [--case JSON]

Draws pools, brings them to rest or half through a roll-out, plans an edit of one or two fields, makes it, and compares.

  --runs N      how many pairs (2000)
  --seed N      draw those that this seed draws
  --case JSON   this pair only, and tell what happens
`;

const PORTION = 100;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '2000' },
      seed: { type: 'string' },
      case: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (values.case !== undefined) return tell(JSON.parse(values.case) as Case);
  await all(
    wholeNumber('--runs', values.runs, 1),
    values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('--seed', values.seed),
  );
}

async function tell(one: Case): Promise<void> {
  const { differences, entries, log } = await compare(one);
  console.log([printed(entries, 'table', (_tone, text) => text), ...log, '', ...differences].join('\n'));
  if (differences.length > 0) process.exitCode = 1;
}

/** In portions, each with its own seed, so that a failing pair can be generated again quickly. */
async function all(runs: number, seed: number): Promise<void> {
  const begun = Date.now();
  for (let done = 0; done < runs; done += PORTION) {
    const found = await search({ runs: Math.min(PORTION, runs - done), seed: seed + done });
    if (found === undefined) continue;
    console.log(found);
    process.exitCode = 1;
    return;
  }
  console.log(
    `${runs} edits did what the plan said, from seed ${seed} on, in ${Math.round((Date.now() - begun) / 1000)} s`,
  );
}

await runCommand(main);
