/**
 * The programs of Kubernetes: those in a machine image, and those that kubeadm runs in pods, each from its Go module.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, fill } from '../../e2e/binaries/build.ts';
import { KUBERNETES_VERSION, type Program, PROGRAMS, PROVIDER_KUBERNETES } from '../../e2e/binaries/catalog.ts';
import { built, builtFolder, cacheOf, MissingError } from '../../e2e/binaries/find.ts';

const kubernetes = (name: string): Program => ({
  name,
  module: 'kubernetes',
  goPackage: `k8s.io/kubernetes/cmd/${name}`,
  settings: KUBERNETES_VERSION,
});

/** A later patch release. The module proxy has none of this minor version, so it is the same source with its name. */
export const NEXT = 'v1.35.5';

const next = (name: string): Program => ({
  ...kubernetes(name),
  name: `${name}-${NEXT}`,
  settings: KUBERNETES_VERSION.map((setting) => setting.replace(/=.*$/, `=${NEXT}`)),
});

/** As packages, from which an update installs them. */
export const IN_PACKAGES = ['kubeadm', 'kubelet', 'kubectl'].map((name) => ({ name, program: next(name) }));

/** Container images of that release; nothing imports them at first boot. */
export const NEXT_IN_PODS = ['kube-scheduler', 'kube-controller-manager', 'kube-apiserver'].map((name) => ({
  name,
  program: next(name),
}));

const ETCD: Program = { name: 'etcd', module: 'kubernetes', goPackage: 'go.etcd.io/etcd/server/v3' };

export const KUBECTL = kubernetes('kubectl');

/** On the host; it judges what machines say of themselves. */
export const BENCHMARK: Program = {
  name: 'benchmark',
  module: 'trivy',
  goPackage: './benchmark',
  experiment: 'jsonv2', // its JSON package
};

/** On the host; it applies the add-ons of the claim. */
export const ADD_ON_PROVIDER: Program = PROGRAMS.find(({ name }) => name === 'provider-kubernetes')!;

/** In /usr/bin of every machine. */
export const ON_MACHINES = [kubernetes('kubeadm'), kubernetes('kubelet'), KUBECTL] as const;

/** Container images, with the name and tag that kubeadm of this version uses; any etcd 3.6 works. */
export const IN_PODS = [
  { program: ETCD, tag: '3.6.6-0' },
  { program: kubernetes('kube-scheduler'), tag: 'v1.35.4' },
  { program: kubernetes('kube-controller-manager'), tag: 'v1.35.4' },
  { program: kubernetes('kube-apiserver'), tag: 'v1.35.4' },
] as const;

/** The sandbox of every pod. */
export const PAUSE = { name: 'pause', tag: '3.10.1' } as const;

/** The pod network of the claim. */
export const INSTALL_NETWORK = { name: 'install-network', tag: '1' } as const;

/** Container images of one file in this folder each. */
export const OURS_IN_PODS = [PAUSE, INSTALL_NETWORK] as const;

/**
 * Builds missing programs. Programs on PATH do not count, because machines need static ones of exactly this version.
 */
export function programsBuilt(progress: (line: string) => void): void {
  const wanted = [
    BENCHMARK,
    ADD_ON_PROVIDER,
    ...ON_MACHINES,
    ...[...IN_PODS, ...IN_PACKAGES, ...NEXT_IN_PODS].map(({ program }) => program),
  ];
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
