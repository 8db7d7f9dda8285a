/**
 * The programs of Kubernetes: those in a machine image, and those that kubeadm runs in pods, each from its Go module.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, fill } from '../../e2e/binaries/build.ts';
import { type Module, ofRelease, type Program, PROGRAMS, PROVIDER_KUBERNETES } from '../../e2e/binaries/catalog.ts';
import { built, builtFolder, cacheOf, MissingError } from '../../e2e/binaries/find.ts';
import { BEFORE, CURRENT } from '../../minors/supported.ts';

/** A release of Kubernetes that machines run. */
export interface Release {
  readonly version: string;
  readonly module: Module;
}

/** What the first machines run. */
export const OLD: Release = { version: BEFORE, module: 'kubernetes-before' };
/** Of the next minor version: what they are updated to, and what machines run that are made after it. */
export const NEW: Release = { version: CURRENT, module: 'kubernetes' };

const kubernetes = (name: string, { module, version }: Release): Program => ({
  name,
  module,
  goPackage: `k8s.io/kubernetes/cmd/${name}`,
  settings: ofRelease(version),
});

/** In /usr/bin of a machine, or in packages from which an update installs them. */
export const onMachines = (release: Release): readonly Program[] =>
  ['kubeadm', 'kubelet', 'kubectl'].map((name) => kubernetes(name, release));

/** Container images of one program each. */
export const inPods = (release: Release): readonly Program[] => [
  { name: 'etcd', module: release.module, goPackage: 'go.etcd.io/etcd/server/v3' },
  ...['kube-scheduler', 'kube-controller-manager', 'kube-apiserver'].map((name) => kubernetes(name, release)),
];

/** The tag of the image that kubeadm of this release runs for a program. */
export function tagOf({ name, module }: Program, release: Release): string {
  const listed = ['config', 'images', 'list', `--kubernetes-version=${release.version}`];
  const { stdout, stderr } = spawnSync(built(kubernetes('kubeadm', release)), listed, { encoding: 'utf8' });
  const tag = new RegExp(`/${name}:(\\S+)$`, 'm').exec(stdout)?.[1];
  if (tag === undefined) throw new Error(`cannot find the image of ${name} of ${module}: ${stdout}${stderr}`);
  return tag;
}

export const KUBECTL = kubernetes('kubectl', NEW);

/** On the host; it judges what machines say of themselves. */
export const BENCHMARK: Program = {
  name: 'benchmark',
  module: 'trivy',
  goPackage: './benchmark',
  experiment: 'jsonv2', // its JSON package
};

/** On the host; it applies the add-ons of the claim. */
export const ADD_ON_PROVIDER: Program = PROGRAMS.find(({ name }) => name === 'provider-kubernetes')!;

/** The sandbox of every pod. */
export const PAUSE = { name: 'pause', tag: '3.10.2' } as const;

/** The pod network of the claim. */
export const INSTALL_NETWORK = { name: 'install-network', tag: '1' } as const;

/** Container images of one file in this folder each. */
export const OURS_IN_PODS = [PAUSE, INSTALL_NETWORK] as const;

/**
 * Builds missing programs. Programs on PATH do not count, because machines need static ones of exactly this version.
 */
export function programsBuilt(progress: (line: string) => void): void {
  const wanted = [BENCHMARK, ADD_ON_PROVIDER, ...[NEW, OLD].flatMap((one) => [...onMachines(one), ...inPods(one)])];
  const absent = wanted.filter((one) => !existsSync(built(one)));
  const ours = OURS_IN_PODS.filter(({ name }) => !existsSync(ownProgram(name)));
  const hasPackage = existsSync(join(builtFolder(PROVIDER_KUBERNETES), PROVIDER_KUBERNETES.last));
  if (absent.length === 0 && ours.length === 0 && hasPackage) return;
  if (spawnSync('go', ['version']).status !== 0)
    throw new MissingError(`${[...absent, ...ours].map(({ name }) => name).join(', ')} not built, and no Go for it`);
  for (const [index, program] of absent.entries()) {
    const started = Date.now();
    progress(`  ${index + 1}/${absent.length} ${program.name} …`);
    build(program);
    progress(`  ${index + 1}/${absent.length} ${program.name} built in ${Math.round((Date.now() - started) / 1000)} s`);
  }
  for (const { name } of ours) buildOwn(name);
  if (!hasPackage) fill(PROVIDER_KUBERNETES);
}

export function ownProgram(name: string): string {
  return join(cacheOf('kubernetes'), name);
}

function buildOwn(name: string): void {
  const source = join(import.meta.dirname, `${name}.go`);
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '' };
  const { status, stderr } = spawnSync(
    'go',
    ['build', '-trimpath', '-ldflags', '-s -w', '-o', ownProgram(name), source],
    { env, encoding: 'utf8' },
  );
  if (status !== 0) throw new MissingError(`cannot build ${name}: ${stderr.trim().split('\n').at(-1) ?? ''}`);
}
