/**
 * The third-party programs of the end-to-end lab: each by name, with the Go package it is built from. The versions are
 * in go/<module>/go.mod; there are several modules so that they do not affect each other's versions.
 */

export type Module = 'kubernetes' | 'crossplane' | 'cli' | 'helm' | 'provider-kubernetes' | 'trivy';

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
  { name: 'helm', module: 'helm', goPackage: 'helm.sh/helm/v3/cmd/helm' },
  {
    name: 'provider-kubernetes',
    module: 'provider-kubernetes',
    goPackage: 'github.com/crossplane-contrib/provider-kubernetes/cmd/provider',
    // No metrics: all processes of a lab share one network, and 8080 is taken.
    settings: ['sigs.k8s.io/controller-runtime/pkg/metrics/server.DefaultBindAddress=0'],
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

/** A folder with files from a Go module, beside its programs. */
export interface Folder {
  readonly name: string;
  readonly module: Module;
  /** That is there when the folder is complete. */
  readonly last: string;
  /** For messages. */
  readonly what: string;
}

export const CORE_MODULE = 'github.com/crossplane/crossplane/v2';
/** What core needs besides its binary: its CRDs, its webhook configurations, its Helm chart. */
export const MANIFESTS: Folder = {
  name: 'crossplane-manifests',
  module: 'crossplane',
  last: 'chart.yaml',
  what: "Crossplane's chart",
};

export const PROVIDER_KUBERNETES_MODULE = 'github.com/crossplane-contrib/provider-kubernetes';
/** Of its package: metadata and CRDs. */
export const PROVIDER_KUBERNETES: Folder = {
  name: 'provider-kubernetes-package',
  module: 'provider-kubernetes',
  last: 'crossplane.yaml',
  what: 'the package of provider-kubernetes',
};

export const FOLDERS = [MANIFESTS, PROVIDER_KUBERNETES] as const;
