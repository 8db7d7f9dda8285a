/** Sends hostile requests to the functions. `npm run hostile -- --help` lists the options. */
import { parseArgs } from 'node:util';
import { runCommand, wholeNumber } from '../support/command-line.ts';
import { SUBJECTS } from './requests.ts';
import { Target, type Tried } from './run.ts';
import { subjectsOf } from './subject.ts';
import { BUDGET, type Read, readOf, type Slow, slowCalls, slowExpressions } from './time.ts';

const HELP = `Usage: npm run hostile -- [--function NAME] [--seeds N] [--from SEED]

Takes valid requests of each function and makes them hostile: wrong types, huge texts and numbers, names that every
object inherits, control characters, deep nesting, missing and duplicated parts. No call may crash or end in an internal
error, remove what exists, show a secret, or answer with a long message or differently the second time.

Then it measures time. Each text of a claim, by its schema, gets what is made against the regular expressions that read it,
and what repeats one part up to its longest. Each Secret that a claim may name gets such values of up to 1 MiB. No expression takes longer than ${BUDGET.expression / 1000} s, and no call than ${BUDGET.call / 1000} s.

  --function NAME   only this one of ${Object.keys(SUBJECTS).join(', ')}
  --seeds N         how many requests for each function (20000)
  --from SEED       the first seed (1)
  --only-time       only what measures time

Exit code 1: an answer was wrong. Each is printed with the command that repeats it.
`;

const SHOWN = 20;
const SECONDS = 5;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      function: { type: 'string' },
      seeds: { type: 'string', default: '20000' },
      from: { type: 'string', default: '1' },
      'only-time': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const names = Object.keys(SUBJECTS).filter((name) => values.function === undefined || name === values.function);
  if (names.length === 0) wholeNumber('--function', values.function ?? '');
  const [count, from] = [wholeNumber('--seeds', values.seeds, 1), wholeNumber('--from', values.from)];
  const rows: Record<string, object> = {};
  if (!values['only-time']) {
    for (const name of names) rows[name] = await all(name, from, count);
    console.table(rows);
  }
  const times: Record<string, object> = {};
  for (const name of names) times[name] = await timed(name);
  console.table(times);
}

async function all(name: string, from: number, count: number): Promise<object> {
  const target = await Target.of(name);
  const sum = { requests: 0, accepted: 0, refused: 0, failed: 0, ended: 0, wrong: 0 };
  const began = Date.now();
  let told = began;
  for (let seed = from; seed < from + count; seed += 1) {
    const tried = await target.try(seed);
    sum.requests += 1;
    sum[tried.outcome] += 1;
    if (tried.wrong.length > 0 && (sum.wrong += 1) <= SHOWN) tell(name, tried);
    if (Date.now() - told < SECONDS * 1000) continue;
    told = Date.now();
    console.log(`${name}: ${sum.requests} of ${count}, ${sum.wrong} wrong`);
  }
  return { ...sum, seconds: Math.round((Date.now() - began) / 1000) };
}

async function timed(name: string): Promise<object> {
  const began = Date.now();
  let slow = 0;
  const told = ({ field, what }: Slow): void => {
    process.exitCode = 1;
    slow += 1;
    console.log(`${name}, ${field}: ${what}`);
  };
  const subjects = await subjectsOf(name);
  const reads: Read[] = [];
  for (const subject of subjects) reads.push(await readOf(subject));
  const expressions = slowExpressions(reads, told);
  const calls = await slowCalls(name, subjects, told);
  return { fields: subjects.length, expressions, ...calls, slow, seconds: Math.round((Date.now() - began) / 1000) };
}

function tell(name: string, { seed, wrong, changes }: Tried): void {
  process.exitCode = 1;
  console.log(`${name}, seed ${seed}: ${wrong.join('; ')}`);
  for (const change of changes) console.log(`  ${change}`);
  console.log(`  again: npm run hostile -- --function ${name} --from ${seed} --seeds 1`);
}

await runCommand(main);
