/**
 * Builds kubeadm from its Go module. Kubernetes is not meant as a dependency: its go.mod replaces its staging modules
 * by folders, so ours replaces them by their published versions.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUPPORTED } from '../minors/supported.ts';
import { CACHE } from './cache.ts';
import { BUILD_SECONDS, runCommand } from './run.ts';

/** Of 1.30, which reads v1beta3 as its own. */
export const OLD_KUBEADM = 'v1.30.5';
/** The kubeadm of each supported minor version, and the old one. */
export const KUBEADM_VERSIONS: readonly string[] = [...Object.values(SUPPORTED), OLD_KUBEADM];

export function kubeadmFile(version: string): string {
  return `kubeadm-${version}`;
}

/** Undefined when built, otherwise the reason. */
export function buildKubeadm(version: string): string | undefined {
  const folder = join(CACHE, 'build', kubeadmFile(version));
  mkdirSync(folder, { recursive: true });
  const env = { GOFLAGS: '-mod=mod', CGO_ENABLED: '0' };
  const download = runCommand('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${version}`], {
    cwd: CACHE,
    env,
    seconds: BUILD_SECONDS,
  });
  if (!download.ok) return download.output.slice(0, 500);
  const { GoMod } = JSON.parse(download.output) as { readonly GoMod: string };
  writeFileSync(join(folder, 'go.mod'), goMod(version, readFileSync(GoMod, 'utf8')));
  writeFileSync(join(folder, 'tools.go'), 'package judges\n\nimport _ "k8s.io/kubernetes/cmd/kubeadm/app"\n');
  const stamp = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
    .map((name) => `-X ${name}.gitVersion=${version}`)
    .join(' ');
  const output = join(CACHE, 'bin', kubeadmFile(version));
  const build = runCommand(
    'go',
    ['build', '-trimpath', '-ldflags', stamp, '-o', output, 'k8s.io/kubernetes/cmd/kubeadm'],
    {
      cwd: folder,
      seconds: BUILD_SECONDS,
      env,
    },
  );
  return build.ok ? undefined : build.output.slice(-500);
}

function goMod(version: string, theirs: string): string {
  const staged = [...theirs.matchAll(/^\s*(k8s\.io\/\S+) => \.\/staging\//gm)].map(([, name]) => name ?? '');
  const published = version.replace(/^v1/, 'v0');
  const go = /^go (\S+)$/m.exec(theirs)?.[1] ?? '1.22';
  return [
    'module judges',
    `go ${go}`,
    `require k8s.io/kubernetes ${version}`,
    ...staged.map((name) => `replace ${name} => ${name} ${published}`),
    '',
  ].join('\n\n');
}
