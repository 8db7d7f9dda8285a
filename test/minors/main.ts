/** npm run minors: whether a newer minor version of Kubernetes is out, and which places have nothing for one. */
import { parseArgs } from 'node:util';
import { minor } from 'semver';
import { messageOf } from '#lib/api/errors.ts';
import { CURRENT, SUPPORTED } from './supported.ts';
import { table } from './table.ts';
import { newest } from './upstream.ts';

const HELP = `npm run minors

Prints what each place has for each minor version of Kubernetes: the supported ones, and newer ones that the Go module
proxy lists. Needs Go and the proxy. docs/new-minor.md says what to do about a newer one.

Exit codes: 0 none is newer · 1 one is · 2 the releases cannot be listed, or usage
`;

function main(): number {
  if (parseArgs({ options: { help: { type: 'boolean', default: false } } }).values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const listed = newest();
  const newer = [...listed].filter(([, release]) => minor(release) > minor(CURRENT)).toReversed();
  process.stdout.write(`${table(new Map([...Object.entries(SUPPORTED), ...newer]))}\n`);
  for (const [key, ours] of Object.entries(SUPPORTED))
    process.stdout.write(`Kubernetes ${key}: ${ours}; the proxy lists ${listed.get(key) ?? 'none'}\n`);
  const out = newer.map(([, release]) => release).join(', ');
  process.stdout.write(
    out === '' ? 'No newer minor version is out.\n' : `Out: ${out}. docs/new-minor.md says what to do.\n`,
  );
  return out === '' ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (thrown) {
  process.stderr.write(`minors: ${messageOf(thrown)}\n`);
  process.exitCode = 2;
}
