/** Tries mixes of existing parts, by seed. `npm run mixes -- --help` lists the options. */
import { parseArgs } from 'node:util';
import { oneOf, runCommand, wholeNumber } from '../../support/command-line.ts';
import { CLOUD_CASES } from './all.ts';
import type { CloudCase } from './case.ts';
import { faultsIn } from './judge.ts';
import { lifeOf } from './life.ts';
import { mixOf } from './mixes.ts';

const HELP = `Usage: npm run mixes -- [--cloud NAME] [--seeds N] [--from SEED]

Makes a cluster of any mix of parts that somebody else has, named by ids or by managed resources, until it is Ready, and
deletes it. Every reference must lead to something, providers must accept every object, and what exists must be the same
before, meanwhile and afterwards.

  --cloud NAME  only on this cloud; may be repeated
  --seeds N     how many mixes on each (20)
  --from SEED   the first seed (1)

Exit codes: 0 all hold · 1 a mix is broken: its line has its seed
`;

async function main(): Promise<void> {
  const names = CLOUD_CASES.map(({ cloud }) => cloud);
  const { values } = parseArgs({
    options: {
      cloud: { type: 'string', multiple: true, default: names },
      seeds: { type: 'string', default: '20' },
      from: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const chosen = new Set(values.cloud.map((name) => oneOf('--cloud', name, names)));
  const from = wholeNumber('--from', values.from);
  const seeds = wholeNumber('--seeds', values.seeds, 1);
  for (const cloud of CLOUD_CASES.filter((one) => chosen.has(one.cloud))) await all(cloud, from, seeds);
}

async function all(cloud: CloudCase, from: number, seeds: number): Promise<void> {
  let broken = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const { one, naming, title } = mixOf(cloud, seed);
    const faults = faultsIn(await lifeOf(cloud, one, naming), one);
    if (faults.length === 0) continue;
    broken += 1;
    process.exitCode = 1;
    console.log([`${cloud.cloud} seed ${seed}: ${title}`, ...faults.map((fault) => `    ${fault}`)].join('\n'));
  }
  console.log(`${cloud.cloud}: ${seeds - broken} of ${seeds} mixes hold, seeds ${from} to ${from + seeds - 1}`);
}

await runCommand(main);
