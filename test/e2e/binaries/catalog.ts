/**
 * The third-party programs of the end-to-end lab: each by name, with the Go package it is built from. The versions are
 * in go/<module>/go.mod; there are several modules so that they do not affect each other's versions.
 */
import { CURRENT } from '../../minors/supported.ts';

/** `kubernetes` is the current minor version, `kubernetes-before` the one that real nodes are upgraded from. */
export type Module =
  | 'kubernetes'
  | 'kubernetes-before'
  | 'crossplane'
  | 'crossplane-2.3.4'
  | 'cli'
  | 'helm'
  | 'provider-helm'
  | 'provider-kubernetes'
  | 'trivy';

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

/** For all programs of a release of Kubernetes itself. */
export const ofRelease = (version: string): readonly string[] =>
  ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].map((name) => `${name}.gitVersion=${version}`);

/** Versions of Crossplane that the lab runs; the first by default. */
export const CROSSPLANES = ['2.4.2', '2.3.4'] as const;
export type CrossplaneVersion = (typeof CROSSPLANES)[number];
export const [LATEST] = CROSSPLANES;

export const CORE_MODULE = 'github.com/crossplane/crossplane/v2';
const CORE_VERSION = 'github.com/crossplane/crossplane-runtime/v2/pkg/version.version';

/** All processes of a lab share one network, and 8080 is taken. */
const WITHOUT_METRICS = 'sigs.k8s.io/controller-runtime/pkg/metrics/server.DefaultBindAddress=0';

/** Small ones first, so that a problem with the machine shows early. */
export const PROGRAMS = [
  { name: 'e2e-registry', module: 'cli', goPackage: 'github.com/google/go-containerregistry/cmd/registry' },
  { name: 'etcd', module: 'kubernetes', goPackage: 'go.etcd.io/etcd/server/v3' },
  { name: 'crossplane-chart', module: 'crossplane', goPackage: './chart' },
  {
    name: 'crossplane-core',
    module: 'crossplane',
    goPackage: `${CORE_MODULE}/cmd/crossplane`,
    settings: [`${CORE_VERSION}=v${LATEST}`],
  },
  { name: 'helm', module: 'helm', goPackage: 'helm.sh/helm/v3/cmd/helm' },
  {
    name: 'provider-kubernetes',
    module: 'provider-kubernetes',
    goPackage: 'github.com/crossplane-contrib/provider-kubernetes/cmd/provider',
    settings: [WITHOUT_METRICS],
  },
  {
    name: 'provider-helm',
    module: 'provider-helm',
    goPackage: 'github.com/crossplane-contrib/provider-helm/cmd/provider',
    settings: [WITHOUT_METRICS],
  },
  { name: 'crossplane', module: 'cli', goPackage: 'github.com/crossplane/cli/v2/cmd/crossplane' },
  { name: 'kubectl', module: 'kubernetes', goPackage: 'k8s.io/kubernetes/cmd/kubectl', settings: ofRelease(CURRENT) },
  {
    name: 'kube-controller-manager',
    module: 'kubernetes',
    goPackage: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    settings: ofRelease(CURRENT),
  },
  {
    name: 'kube-apiserver',
    module: 'kubernetes',
    goPackage: 'k8s.io/kubernetes/cmd/kube-apiserver',
    settings: ofRelease(CURRENT),
  },
] as const satisfies readonly Program[];

export type ProgramName = (typeof PROGRAMS)[number]['name'];

/** A folder with files from a Go module, beside its programs. */
export interface Folder {
  readonly name: string;
  readonly module: Module;
  /** The Go module that its files come from. */
  readonly source: string;
  /** That is there when the folder is complete. */
  readonly last: string;
  /** For messages. */
  readonly what: string;
}

/** What core needs besides its binary: its CRDs, its webhook configurations, its Helm chart. */
export const MANIFESTS = {
  name: 'crossplane-manifests',
  module: 'crossplane',
  source: CORE_MODULE,
  last: 'chart.yaml',
  what: "Crossplane's chart",
} as const satisfies Folder;

/** Of its package: metadata and CRDs. */
export const PROVIDER_KUBERNETES = {
  name: 'provider-kubernetes-package',
  module: 'provider-kubernetes',
  source: 'github.com/crossplane-contrib/provider-kubernetes',
  last: 'crossplane.yaml',
  what: 'the package of provider-kubernetes',
} as const satisfies Folder;

/** Metadata and CRDs of its package. */
export const PROVIDER_HELM = {
  name: 'provider-helm-package',
  module: 'provider-helm',
  source: 'github.com/crossplane-contrib/provider-helm',
  last: 'crossplane.yaml',
  what: 'the package of provider-helm',
} as const satisfies Folder;

/** The part in that version of Crossplane, if it differs: earlier ones have a module and names of their own. */
export function inVersion<T extends Program | Folder>(part: T, version: CrossplaneVersion): T {
  const isCore = part.name === 'crossplane-core' || part.name === MANIFESTS.name;
  if (version === LATEST || !isCore) return part;
  const settings = 'settings' in part ? { settings: [`${CORE_VERSION}=v${version}`] } : {};
  return { ...part, name: `${part.name}-${version}`, module: `crossplane-${version}`, ...settings };
}
