/**
 * k3s from its Go module, and its script. It is some four thousand packages, which no other program here shares: about a quarter of
 * an hour on two cores. So it is only built when asked for. Needs a C compiler as well.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MissingError } from '../../e2e/binaries/find.ts';
import { CACHE } from './cache.ts';

const MODULE = 'github.com/k3s-io/k3s';
/** What the Go proxy has as the newest: the source of k3s for Kubernetes 1.34. */
const VERSION = 'v1.33.0-rc1.0.20251111204923-8215b940e3eb';
/** As the source says it of itself; the claim asks for it. */
const RELEASE = 'v1.34.1+k3s1';

/** Those of its releases, without Docker. */
const TAGS = [
  'static_build',
  'ctrd',
  'netcgo',
  'osusergo',
  'providerless',
  'urfave_cli_no_docs',
  'sqlite_omit_load_extension',
  'no_cri_dockerd',
];
const SETTINGS = [
  `${MODULE}/pkg/version.Version=${RELEASE}`,
  `k8s.io/component-base/version.gitVersion=${RELEASE}`,
  'k8s.io/component-base/version.gitMajor=1',
  'k8s.io/component-base/version.gitMinor=34',
];

export interface K3sProgram {
  readonly version: string;
  /** Files. */
  readonly program: string;
  readonly script: string;
}

const FOLDER = join(CACHE, `k3s-${VERSION}`);
const FILES: K3sProgram = { version: VERSION, program: join(FOLDER, 'k3s'), script: join(FOLDER, 'install.sh') };

/** Throws MissingError, in one line, if it is not built. */
export function k3sProgram(): K3sProgram {
  if (existsSync(FILES.script)) return FILES;
  throw new MissingError('k3s is not built; npm run e2e:nodes -- --cluster k3s --build does it, in about 15 minutes');
}

/** Builds it unless it is. Throws MissingError, in one line, if that is not possible. */
export function buildK3s(progress: (line: string) => void): void {
  if (existsSync(FILES.script)) return;
  const started = Date.now();
  progress('k3s …, about 15 minutes');
  const source = writableSource();
  // It only starts if it was built by the compiler that it knows of.
  const compiler = `${MODULE}/pkg/version.UpstreamGolang=${go(['env', 'GOVERSION'], source).trim()}`;
  // The build of its releases does this: without these it gives its own controllers no rights.
  cpSync(join(source, 'manifests'), join(source, 'pkg/deploy/embed'), { recursive: true });
  const settings = [...SETTINGS, compiler].map((setting) => `-X ${setting}`).join(' ');
  const flags = ['-buildvcs=false', '-tags', TAGS.join(), '-ldflags', `-w -s -extldflags -static ${settings}`];
  go(['build', ...flags, '-o', FILES.program, './cmd/server'], source);
  renameSync(join(source, 'install.sh'), FILES.script); // last: it says that all is there
  rmSync(source, { recursive: true, force: true });
  progress(`k3s built in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** Its versions of others count only if it is built as a module of its own, in its own folder. */
function writableSource(): string {
  const { Dir } = JSON.parse(go(['mod', 'download', '-json', `${MODULE}@${VERSION}`], CACHE)) as { Dir: string };
  const source = join(FOLDER, 'source');
  rmSync(source, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  cpSync(Dir, source, { recursive: true });
  const folders = readdirSync(source, { recursive: true, withFileTypes: true }).filter((one) => one.isDirectory());
  for (const { parentPath, name } of folders) chmodSync(join(parentPath, name), 0o755);
  return source;
}

function go(args: readonly string[], cwd: string): string {
  // The public list of checksums has releases with a tag only.
  const own = { CGO_ENABLED: '1', GOWORK: 'off', GOFLAGS: '-mod=mod', GONOSUMDB: MODULE };
  const { status, stdout, stderr, error } = spawnSync('go', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, ...own },
  });
  if (status === 0) return stdout;
  const cause = error?.message ?? stderr.trim().split('\n').slice(-3).join(' ');
  throw new MissingError(`cannot build k3s: go ${args[0] ?? ''}: ${cause}`);
}
