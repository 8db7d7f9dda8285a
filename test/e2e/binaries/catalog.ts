/**
 * What the end-to-end lab runs that is not ours: each program by name, with the Go package it is built from. The
 * versions are those of go/<module>/go.mod; modules are apart so that none pulls the others' versions.
 */

export type Module = 'kubernetes' | 'crossplane' | 'cli';

export interface Program {
  /** Its file name on PATH, in SLIPWAY_E2E_BIN and in the cache. */
  readonly name: string;
  readonly module: Module;
  readonly goPackage: string;
  /** `-X` settings of the linker: programs that do not know their version are refused, or refuse packages. */
  readonly settings?: readonly string[];
}

/** For every program of Kubernetes' own. */
export const KUBERNETES_VERSION = [
  'k8s.io/component-base/version.gitVersion=v1.35.4',
  'k8s.io/client-go/pkg/version.gitVersion=v1.35.4',
];

/** Small ones first: a problem with the machine shows early. */
export const PROGRAMS = [
  { name: 'e2e-registry', module: 'cli', goPackage: 'github.com/google/go-containerregistry/cmd/registry' },
  { name: 'etcd', module: 'kubernetes', goPackage: 'go.etcd.io/etcd/server/v3' },
  { name: 'crossplane-chart', module: 'crossplane', goPackage: './chart' },
  {
    name: 'crossplane-core',
    module: 'crossplane',
    goPackage: 'github.com/crossplane/crossplane/v2/cmd/crossplane',
    settings: ['github.com/crossplane/crossplane-runtime/v2/pkg/version.version=v2.3.4'],
  },
  { name: 'crossplane', module: 'cli', goPackage: 'github.com/crossplane/cli/v2/cmd/crossplane' },
  { name: 'kubectl', module: 'kubernetes', goPackage: 'k8s.io/kubernetes/cmd/kubectl', settings: KUBERNETES_VERSION },
  {
    name: 'kube-controller-manager',
    module: 'kubernetes',
    goPackage: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    settings: KUBERNETES_VERSION,
  },
  {
    name: 'kube-apiserver',
    module: 'kubernetes',
    goPackage: 'k8s.io/kubernetes/cmd/kube-apiserver',
    settings: KUBERNETES_VERSION,
  },
] as const satisfies readonly Program[];

export type ProgramName = (typeof PROGRAMS)[number]['name'];

/** What core needs beside its binary: its CRDs, its webhook configurations, its Helm chart. */
export const MANIFESTS = 'crossplane-manifests';
export const CORE_MODULE = 'github.com/crossplane/crossplane/v2';
