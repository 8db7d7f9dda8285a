/**
 * What the linter of the repository reports for imports in files that do not exist: they are written into a copy of the
 * repository.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../../cli/files/repository.ts';

export interface Probe {
  /** The importing file, relative to the repository. */
  readonly from: string;
  readonly specifier: string;
}

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

/**
 * The probes that are refused because of the layer they import from. One run for all, because starting the linter takes
 * longer than linting.
 */
export function refusedOf(probes: readonly Probe[]): ReadonlySet<Probe> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-layers-'));
  try {
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    const files = Map.groupBy(probes, ({ from }) => from);
    for (const [file, imports] of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      const lines = imports.map(({ specifier }, index) => `export { x as x${index} } from '${specifier}';`);
      writeFileSync(join(folder, file), `${lines.join('\n')}\n`);
    }
    return new Set(
      diagnosticsIn(folder)
        .filter(({ code }) => code.includes('no-restricted-imports'))
        .flatMap(({ filename, labels }) => {
          const probe = files.get(filename)?.[(labels[0]?.span.line ?? 0) - 1];
          return probe === undefined ? [] : [probe];
        }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function diagnosticsIn(folder: string): readonly Diagnostic[] {
  const oxlint = join(ROOT, 'node_modules', '.bin', 'oxlint');
  const { stdout } = spawnSync(oxlint, ['--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] };
  return diagnostics;
}
