/**
 * Shows that judges of first boots find faults: they judge payloads of an older commit, made by its own code, and of
 * this checkout. `npm run judges:before -- --help` lists the options.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../support/command-line.ts';
import { runCommand as run } from '../run.ts';
import { type Case, findingOf } from './case.ts';
import { CASES } from './cases.ts';
import { type Checkout, checkoutAt, HERE } from './checkout.ts';

/** The last commit with all of these faults. */
const FAULTY = '479beef8';

const HELP = `Usage: npm run judges:before -- [--against COMMIT] [--case TEXT]

Judges first-boot data with real programs: cloud-init, Ignition, kubeadm, a strict decoder, curl and Python. Once it is
made by the code of an older commit, where each case has a fault, and once by this checkout, where none has.

  --against COMMIT   the older one (${FAULTY})
  --case TEXT        only cases with this text in their name

Exit code 1: a judge found something else than the table of cases says.
`;

interface Row {
  readonly given: Case;
  readonly before: string;
  readonly now: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      against: { type: 'string', default: FAULTY },
      case: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const root = mkdtempSync(join(tmpdir(), 'slipway-before-'));
  try {
    unpack(values.against, root);
    const [old, here] = [await checkoutAt(root), await checkoutAt(HERE)];
    const cases = CASES.filter(({ name }) => name.includes(values.case));
    console.log(`case | judge | on ${values.against} | now`);
    const rows: Row[] = [];
    for (const given of cases) rows.push(...(await rowOf(given, old, here)));
    const wrong = rows.filter((row) => !isAsSaid(row));
    console.log(`${rows.length - wrong.length} of ${cases.length} cases: the fault is there before, and not now`);
    if (wrong.length > 0 || rows.length < cases.length) process.exitCode = 1;
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Without a worktree, which git would remember. The libraries are those of this checkout. */
function unpack(commit: string, root: string): void {
  const archive = join(root, 'archive.tar');
  for (const [program, ...args] of [
    ['git', 'archive', '-o', archive, commit],
    ['tar', '-x', '-f', archive, '-C', root],
  ] as const) {
    const { ok, output } = run(program, args, { cwd: HERE });
    if (!ok) throw new Error(`cannot unpack commit "${commit}": ${output}`);
  }
  mkdirSync(root, { recursive: true });
  symlinkSync(join(HERE, 'node_modules'), join(root, 'node_modules'));
}

async function rowOf(given: Case, old: Checkout, here: Checkout): Promise<readonly Row[]> {
  const missing = given.missing();
  if (missing !== undefined) {
    console.log(`${given.name} | ${given.judge} | not judged: ${missing}`);
    return [];
  }
  const row = { given, before: await findingOf(given, old), now: await findingOf(given, here) };
  console.log(
    [given.name, given.judge, oneLine(row.before), oneLine(row.now), ...(isAsSaid(row) ? [] : [saidOf(given)])].join(
      ' | ',
    ),
  );
  return [row];
}

function isAsSaid({ given, before, now }: Row): boolean {
  return before.startsWith(given.before) && now.startsWith(given.now);
}

function saidOf({ before, now }: Case): string {
  return `not as in the table: ${before} | ${now}`;
}

function oneLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}

await runCommand(main);
