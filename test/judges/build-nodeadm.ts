/**
 * Builds nodeadm of EKS from its Go module, and keeps the CRD of its NodeConfig. The Go proxy has no release after
 * February 2024: the validator does not know newer fields of NodeConfig, and the tests list them.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './cache.ts';
import { BUILD_SECONDS, runCommand } from './run.ts';

export const NODEADM = ['bin', 'nodeadm'];
export const NODE_CONFIG_CRD = ['nodeadm', 'nodeconfigs.yaml'];

const MODULE = 'github.com/awslabs/amazon-eks-ami/nodeadm';
const VERSION = 'v0.0.0-20240229193347-cfab22a10647';

/** Undefined when built, otherwise the reason. */
export function buildNodeadm(): string | undefined {
  const folder = join(CACHE, 'build', 'nodeadm');
  mkdirSync(folder, { recursive: true });
  const env = { GOFLAGS: '-mod=mod', CGO_ENABLED: '0' };
  writeFileSync(join(folder, 'go.mod'), `module judges\n\ngo 1.26.0\n\nrequire ${MODULE} ${VERSION}\n`);
  writeFileSync(join(folder, 'tools.go'), `package judges\n\nimport _ "${MODULE}/api/v1alpha1"\n`);
  const output = join(CACHE, ...NODEADM);
  const build = runCommand('go', ['build', '-trimpath', '-o', output, `${MODULE}/cmd/nodeadm`], {
    cwd: folder,
    env,
    seconds: BUILD_SECONDS,
  });
  return build.ok ? undefined : build.output.slice(-500);
}

/** Undefined when available, otherwise the reason. */
export function fetchNodeConfigCrd(): string | undefined {
  const download = runCommand('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`], {
    cwd: CACHE,
    seconds: BUILD_SECONDS,
  });
  if (!download.ok) return download.output.slice(0, 500);
  const { Dir } = JSON.parse(download.output) as { readonly Dir: string };
  const target = join(CACHE, ...NODE_CONFIG_CRD);
  mkdirSync(join(target, '..'), { recursive: true });
  copyFileSync(join(Dir, 'crds', 'node.eks.aws_nodeconfigs.yaml'), target);
  return undefined;
}
