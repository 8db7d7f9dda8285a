/** Every command in README and docs is run: here, or by CI itself. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Commands of fenced `sh` blocks; a comment line, or the text after ` # `, is not part of a command. */
function commandsIn(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^```sh\n(?<body>.*?)^```/gms)]
    .flatMap(({ groups }) => (groups?.['body'] ?? '').replaceAll('\\\n', ' ').split('\n'))
    .map((line) =>
      line
        .replace(/\s+#\s.*$/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function markdown(): readonly string[] {
  const below = (folder: string): readonly string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return ['node_modules', '.git', '.cache', 'dist'].includes(entry.name) ? [] : below(path);
      return entry.name.endsWith('.md') ? [path] : [];
    });
  return below('.').toSorted();
}

/** Commands that .ci/run or one of its suites runs unchanged; the reason says which. */
const RUN_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['npm ci', '.ci/run'],
  ['npm test', '.ci/run'],
  ['npm start', 'test/cli'],
  ['npm run package', '.ci/run'],
  ['npm run sim', '.ci/run'],
  ['npm run e2e', '.ci/run'],
]);

/** Pages whose commands need the environment of a suite; the suite runs them, in order. */
const PAGES_RUN_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['docs/install.md', 'test/e2e'],
  ['docs/restore.md', 'test/e2e'],
  ['docs/tutorial.md', 'test/docs/tutorial.test.ts'],
  ['docs/upgrade.md', 'test/e2e'],
]);

/** Pages with commands in a `console` block, which are not run as they stand; the reason says why, and who runs their like. */
const SHOWN_ONLY: Readonly<Record<string, string>> = {
  'README.md':
    'the clone has no public address, and the packages are in no registry yet; test/e2e installs them from its own',
  'docs/add-ons.md': 'it asks a claim with a mistake that is not part of the page',
  'docs/clouds/azure.md': 'it asks the real Azure',
  'docs/deletion.md': 'it asks the real AWS',
  'docs/first-boot.md': 'names of a cluster of the reader; test/cli prints the payload of such a Secret',
  'docs/in-place-updates.md': 'on a host in the middle of an update; test/nodes updates such hosts',
  'docs/install.md':
    'it pushes to a registry, and has settings of a Crossplane that Helm installed; test/e2e does the same with its own',
  'docs/operations.md': 'names of a cluster of the reader; test/e2e and test/nodes apply the same roles',
  'docs/restore.md': 'for a Secret of a cluster that is not there any more',
  'docs/security.md': 'names of a cluster of the reader',
  'docs/upgrade.md': 'settings of a Crossplane that Helm installed; test/e2e starts its own with them',
  'examples/portable/README.md': 'it needs kubectl; test/e2e runs its kustomize with validate',
  'functions/bootstrap/canonical-kubernetes/README.md': 'on a host with Canonical Kubernetes',
  'package/README.md': 'it pushes to a registry and signs with a key',
};

const documented = markdown()
  .filter((file) => !PAGES_RUN_ELSEWHERE.has(file))
  .flatMap((file) => commandsIn(file).map((command) => ({ file, command })));

/** What they write, as .gitignore has it. */
const WRITTEN: ReadonlySet<string> = new Set(['before.yaml', 'completion.bash']);

/** Links to everything else in the clone, where a reader may have such files: those are neither read nor written. */
function cloneOf(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-docs-'));
  for (const name of readdirSync(root)) if (!WRITTEN.has(name)) symlinkSync(join(root, name), join(folder, name));
  return folder;
}

describe('the commands in README and docs', () => {
  const clone = cloneOf(ROOT);
  afterAll(() => {
    rmSync(clone, { recursive: true });
  });

  it('are found, otherwise this test proves nothing', () => {
    expect(documented.length).toBeGreaterThan(0);
  });

  it('in a block of another kind have a reason not to be run', () => {
    const shown = markdown().filter((file) => /^```console$/m.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(shown).toEqual(Object.keys(SHOWN_ONLY));
  });

  it('write into the folder that they are run in, where nobody else on the machine does', () => {
    expect(documented.filter(({ command }) => /(?:^|[ =])\/(?:tmp|var|home)\b/.test(command))).toEqual([]);
  });

  const here = [...new Map(documented.map((entry) => [entry.command, entry])).values()].filter(
    ({ command }) => !RUN_ELSEWHERE.has(command),
  );
  it.for(here.map((entry) => [entry.command, entry.file] as const))('%s (%s) exits 0', ([command]) => {
    const env = { ...process.env, PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}` };
    expect(() =>
      execFileSync('sh', ['-ec', command], { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 }),
    ).not.toThrow();
  });
});
