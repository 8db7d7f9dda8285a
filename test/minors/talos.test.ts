/** The minor versions that each release of Talos runs, as its own module says them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RELEASES } from '../../functions/bootstrap/talos/traits.ts';
import { TALOS_VERSIONS, talosFile } from '../judges/build-talos.ts';
import { CACHE } from '../judges/cache.ts';
import { runCommand } from '../judges/run.ts';

/** Where Go unpacked the module that the validator is built from; undefined: it is not built. */
function sourceOf(version: string): string | undefined {
  const cwd = join(CACHE, 'build', talosFile(version));
  if (!existsSync(cwd)) return undefined;
  const module = 'github.com/siderolabs/talos/pkg/machinery';
  const { ok, output } = runCommand('go', ['list', '-m', '-f', '{{.Dir}}', module], {
    cwd,
    env: { GOFLAGS: '-mod=mod' },
  });
  return ok && output !== '' ? output : undefined;
}

test.for(Object.entries(TALOS_VERSIONS))('Talos %s', ([release, version], { skip }) => {
  const source = sourceOf(version);
  if (source === undefined) {
    process.stdout.write(`skipped: minor versions of Talos ${release}: npm run judges fetches its module\n`);
    skip();
    return;
  }
  const folder = `talos${release.replace('.', '')}`;
  const text = readFileSync(join(source, 'compatibility', folder, `${folder}.go`), 'utf8');
  const said = (word: string): number =>
    Number(new RegExp(`${word}KubernetesVersion = semver\\.MustParse\\("1\\.(\\d+)\\.`).exec(text)?.[1]);
  const { oldest, newest } = RELEASES[release as keyof typeof RELEASES];
  expect({ oldest: said('Minimum'), newest: said('Maximum') }).toEqual({ oldest, newest });
});
