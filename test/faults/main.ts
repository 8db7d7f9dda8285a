/**
 * Shows that tests find faults that were mended: each mending is undone in a copy of the last commit, and a test has to
 * fail. `npm run faults -- --help` lists the options.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand as run } from '../judges/run.ts';
import { runCommand } from '../support/command-line.ts';
import { type Fault, FAULTS } from './table.ts';

const HERE = resolve(import.meta.dirname, '../..');

const HELP = `Usage: npm run faults -- [--fault TEXT]

Undoes one mending after the other in a copy of the last commit, and runs the test that finds it.

  --fault TEXT   only faults with this text in their name

Exit code 1: a test passes although the fault is back, or the text of a mending is not there once.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { fault: { type: 'string', default: '' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(HELP);
  const root = mkdtempSync(join(tmpdir(), 'slipway-faults-'));
  try {
    unpack(root);
    const faults = FAULTS.filter(({ name }) => name.includes(values.fault));
    const outcomes = faults.map((fault) => {
      const outcome = outcomeOf(root, fault);
      console.log(`${fault.name} | ${fault.test.join(': ')} | ${outcome.text}`);
      return outcome;
    });
    const found = outcomes.filter(({ isFound }) => isFound).length;
    console.log(`${found} of ${faults.length} faults are found`);
    if (outcomes.some(({ isFound, isSkipped }) => !isFound && !isSkipped)) process.exitCode = 1;
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Without a worktree, which git would remember. The libraries are those of this checkout. */
function unpack(root: string): void {
  const archive = join(root, 'archive.tar');
  for (const [program, ...args] of [
    ['git', 'archive', '-o', archive, 'HEAD'],
    ['tar', '-x', '-f', archive, '-C', root],
  ] as const) {
    const { ok, output } = run(program, args, { cwd: HERE });
    if (!ok) throw new Error(`cannot unpack the last commit: ${output}`);
  }
  symlinkSync(join(HERE, 'node_modules'), join(root, 'node_modules'));
}

interface Outcome {
  readonly isFound: boolean;
  /** The test needs what is not here. */
  readonly isSkipped: boolean;
  readonly text: string;
}

function outcomeOf(root: string, { file, mended, faulty, test: [path, name] }: Fault): Outcome {
  const place = join(root, file);
  const before = readFileSync(place, 'utf8');
  const times = before.split(mended).length - 1;
  if (times !== 1) return { isFound: false, isSkipped: false, text: `the mending is in ${file} ${times} times` };
  writeFileSync(
    place,
    before.replace(mended, () => faulty),
  );
  try {
    const only = name === '' ? [] : ['--testNamePattern', name];
    const { ok, output } = run('npx', ['vitest', 'run', path, ...only, '--no-color'], { cwd: root });
    const [, failure] = /^ *(?:\S*Error|Error): (.*)$/m.exec(output) ?? [];
    // A run in which no test had that name passes nothing, and one that cannot begin fails no test.
    const isFound = !ok && /\bTests +\d+ failed/.test(output);
    const isSkipped = ok && !/\bTests +.*\d+ passed/.test(output);
    const text = isFound ? `fails: ${failure ?? 'no message'}` : isSkipped ? 'skipped' : 'NOT FOUND';
    return { isFound, isSkipped, text };
  } finally {
    writeFileSync(place, before);
  }
}

await runCommand(main);
