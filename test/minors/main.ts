/** npm run minors: whether a newer minor version of Kubernetes is out, and which places have nothing for one. */
import { minor } from 'semver';
import { messageOf } from '#lib/api/errors.ts';
import { CURRENT, SUPPORTED } from './supported.ts';
import { table } from './table.ts';
import { newest } from './upstream.ts';

function main(): number {
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
