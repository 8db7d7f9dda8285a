/**
 * The third-party programs of the end-to-end lab: each by name, with the Go package it is built from. The versions are
 * in go/<module>/go.mod; there are several modules so that they do not affect each other's versions.
 */

export type Module = 'kubernetes' | 'crossplane' | 'cli' | 'trivy';

export interface Program {
  /** File name on PATH, in SLIPWAY_E2E_BIN and in the cache. */
  readonly name: string;
  readonly module: Module;
  readonly goPackage: string;
  /** `-X` settings of the linker: a program without its version is refused, or refuses packages. */
  readonly settings?: readonly string[];
  /** GOEXPERIMENT of its build. */
  readonly experiment?: string;
}

/** For all programs of Kubernetes itself. */
export const KUBERNETES_VERSION = [
  'k8s.io/component-base/version.gitVersion=v1.35.4',
  'k8s.io/client-go/pkg/version.gitVersion=v1.35.4',
];

/** Small ones first, so that a problem with the machine shows early. */
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

/** What core needs besides its binary: its CRDs, its webhook configurations, its Helm chart. */
export const MANIFESTS = 'crossplane-manifests';
export const CORE_MODULE = 'github.com/crossplane/crossplane/v2';
