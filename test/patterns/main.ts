/** Asks recheck about new regular expressions. `npm run patterns -- --help` says more. */
import { parseArgs } from 'node:util';
import { runCommand } from '../support/command-line.ts';
import { patternsFound } from './found.ts';
import { EXCEPTED, linear, record } from './golden.ts';
import { faultOf, recheck } from './recheck.ts';

const HELP = `Usage: npm run patterns [-- --all]

Finds every regular expression of the product and asks recheck whether it is linear, one after the other. Those that are
get a line in test/patterns/golden/linear.txt; what is not is printed, and has to be written in another way or get a
reason in test/patterns/exceptions.ts. Downloads recheck when it needs it.

  --all   also asks about what it asked about before

Exit code 1: one is not linear.
`;

/** What it finds by itself, so that an answer says something. */
const SLOW = ['/^(a+)+$/', '/-+$/'];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { all: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(HELP);
  const found = await patternsFound();
  const known = new Set(values.all ? [] : linear());
  const asked = [...found].filter(([expression]) => !known.has(expression) && !EXCEPTED.has(expression));
  const slow = asked.length === 0 ? [] : await slowOf(asked);
  record([...found.keys()].filter((expression) => !EXCEPTED.has(expression) && !slow.includes(expression)));
  console.log(`${asked.length} asked about, ${slow.length} not linear`);
  if (slow.length > 0) process.exitCode = 1;
}

async function slowOf(asked: readonly (readonly [string, string])[]): Promise<readonly string[]> {
  const judge = recheck();
  for (const expression of SLOW)
    if ((await faultOf(judge, expression)) === undefined) throw new Error(`recheck calls ${expression} linear`);
  const slow: string[] = [];
  for (const [expression, file] of asked) {
    const fault = await faultOf(judge, expression);
    console.log(`${fault ?? 'linear'}: ${expression} (${file})`);
    if (fault !== undefined) slow.push(expression);
  }
  return slow;
}

await runCommand(main);
