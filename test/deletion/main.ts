/** Runs the deletion matrix and prints it as a table. `npm run deletion -- --help` lists the options. */
import { parseArgs } from 'node:util';
import { CASES, nameOf } from './matrix.ts';
import { type Outcome, runCase } from './run.ts';
import { runCommand, wholeNumber } from '../support/command-line.ts';

const HELP = `Usage: npm run deletion -- [--case TEXT] [--seeds N] [--from SEED]

Deletes one thing on the simulated cloud for every case – what is deleted, with which propagation, at which moment, and
what is down meanwhile – and checks that everything goes that should go, in order, and nothing else.

  --case TEXT   only cases with this text in their name, such as Namespace or 'down: functions'
  --seeds N     how many seeds for each (1)
  --from SEED   the first seed (0)

Exit codes: 0 all hold · 1 a case is broken · 2 no case has that name
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      case: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const cases = CASES.filter((one) => nameOf(one).includes(values.case));
  if (cases.length > 0) return all(cases, wholeNumber('--from', values.from), wholeNumber('--seeds', values.seeds, 1));
  console.error(`cannot run case "${values.case}": accepted: a part of a name such as "${nameOf(CASES[0]!)}"`);
  process.exitCode = 2;
}

async function all(cases: typeof CASES, from: number, seeds: number): Promise<void> {
  process.stdout.write(
    `${'OBJECT, PROPAGATION, MOMENT, WHAT IS DOWN'.padEnd(72)}           drained  refused   seconds\n`,
  );
  for (const one of cases) {
    const outcomes: Outcome[] = [];
    for (let seed = from; seed < from + seeds; seed += 1) {
      const outcome = await runCase(one, seed);
      outcomes.push(outcome);
      if (outcome.broken.length > 0) process.exitCode = 1;
    }
    process.stdout.write(`${row(nameOf(one), outcomes)}\n`);
    for (const [index, { broken }] of outcomes.entries())
      for (const line of broken.slice(0, 3)) process.stdout.write(`    seed ${index + from}: ${line}\n`);
  }
}

function row(name: string, outcomes: readonly Outcome[]): string {
  const broken = outcomes.filter((one) => one.broken.length > 0).length;
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  const seconds = Math.round(Math.max(...outcomes.map((one) => one.seconds)));
  const cells = [
    broken === 0 ? 'holds' : `BROKEN ${broken}`,
    sum(({ drained }) => drained),
    sum(({ refusals }) => refusals.length),
    seconds,
  ];
  return [name.padEnd(72), ...cells.map((cell) => String(cell).padStart(9))].join(' ');
}

await runCommand(main);
