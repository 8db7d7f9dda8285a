/**
 * Builds ignition-validate from its Go modules: the newest for specification 3, and the last of the old versions for
 * 2.3. The latter is older than Go modules, and one of its libraries has moved since.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './cache.ts';
import { BUILD_SECONDS, runCommand } from './run.ts';

interface Release {
  readonly module: string;
  readonly version: string;
  readonly replace?: string;
}

/** By the major version of the specification that it checks. */
export const IGNITION_RELEASES = {
  3: { module: 'github.com/coreos/ignition/v2', version: 'v2.26.0' },
  2: {
    module: 'github.com/coreos/ignition',
    version: 'v0.35.0',
    replace: 'github.com/ajeddeloh/go-json => github.com/coreos/go-json v0.0.0-20230131223807-18775e0fb4fb',
  },
} as const satisfies Readonly<Record<number, Release>>;

export type Specification = keyof typeof IGNITION_RELEASES;

export function ignitionFile(specification: Specification): string {
  return `ignition-validate-${IGNITION_RELEASES[specification].version}`;
}

/** Undefined when built, otherwise the reason. */
export function buildIgnition(specification: Specification): string | undefined {
  const { module, version, replace }: Release = IGNITION_RELEASES[specification];
  const folder = join(CACHE, 'build', ignitionFile(specification));
  mkdirSync(folder, { recursive: true });
  const lines = ['module judges', 'go 1.25.0', `require ${module} ${version}`];
  writeFileSync(join(folder, 'go.mod'), [...lines, replace === undefined ? '' : `replace ${replace}`, ''].join('\n\n'));
  const build = runCommand(
    'go',
    ['build', '-trimpath', '-o', join(CACHE, 'bin', ignitionFile(specification)), `${module}/validate`],
    {
      cwd: folder,
      seconds: BUILD_SECONDS,
      env: { GOFLAGS: '-mod=mod', CGO_ENABLED: '0' },
    },
  );
  return build.ok ? undefined : build.output.slice(-500);
}
