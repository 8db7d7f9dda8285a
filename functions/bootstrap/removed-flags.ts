/**
 * Flags that Kubernetes removed. A component that gets one does not start. Origin: the flags that each component of
 * Kubernetes defines in its source, release by release from 1.22 on.
 */
import { minor } from 'semver';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { isJsonObject, at } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';

/** The newest minor version whose flags were read. */
export const READ_UNTIL = 37;

export const COMPONENTS = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
] as const;
export type Component = (typeof COMPONENTS)[number];

/** Where a claim has the flags of each component, in `spec.bootstrap.config`: a map, or a list such as `name=value`. */
export type FlagFields = Readonly<Partial<Record<Component, readonly string[]>>>;

interface Removed {
  readonly component: Component;
  readonly flag: string;
  /** The first minor version without it. */
  readonly in: number;
  /** What does its work. Left out: nothing has to. */
  readonly instead?: string;
}

const without = (component: Component, first: number, flags: readonly string[]): readonly Removed[] =>
  flags.map((flag) => ({ component, flag, in: first }));

const ANY = COMPONENTS.flatMap((component) => without(component, 26, ['logtostderr']));
const CONTROL_PLANES = (['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const).flatMap(
  (component) => [
    ...without(component, 24, ['deserialization-cache-size', 'enable-swagger-ui', 'target-ram-mb']),
    ...without(component, 24, ['experimental-logging-sanitization']),
    ...without(component, 27, ['master-service-namespace']),
  ],
);

export const REMOVED: readonly Removed[] = [
  ...ANY,
  ...CONTROL_PLANES,
  {
    component: 'kube-apiserver',
    flag: 'experimental-encryption-provider-config',
    in: 24,
    instead: 'encryption-provider-config',
  },
  { component: 'kube-apiserver', flag: 'service-account-api-audiences', in: 25, instead: 'api-audiences' },
  ...without('kube-apiserver', 26, ['identity-lease-duration-seconds', 'identity-lease-renew-interval-seconds']),
  ...without('kube-apiserver', 31, ['cloud-provider-gce-l7lb-src-cidrs', 'cloud-provider-gce-lb-src-cidrs']),
  ...without('kube-apiserver', 33, ['cloud-config', 'cloud-provider']),
  ...without('kube-controller-manager', 24, [
    'deployment-controller-sync-period',
    'horizontal-pod-autoscaler-use-rest-clients',
  ]),
  ...without('kube-controller-manager', 25, ['deleting-pods-burst', 'deleting-pods-qps', 'register-retry-count']),
  {
    component: 'kube-controller-manager',
    flag: 'experimental-cluster-signing-duration',
    in: 25,
    instead: 'cluster-signing-duration',
  },
  ...without('kube-controller-manager', 27, ['enable-taint-manager']),
  {
    component: 'kube-controller-manager',
    flag: 'pod-eviction-timeout',
    in: 27,
    instead: 'default-not-ready-toleration-seconds and default-unreachable-toleration-seconds of kube-apiserver',
  },
  {
    component: 'kube-controller-manager',
    flag: 'horizontal-pod-autoscaler-downscale-delay',
    in: 31,
    instead: 'horizontal-pod-autoscaler-downscale-stabilization',
  },
  ...without('kube-controller-manager', 31, [
    'horizontal-pod-autoscaler-upscale-delay',
    'volume-host-allow-local-loopback',
    'volume-host-cidr-denylist',
  ]),
  ...without('kube-scheduler', 23, ['policy-config-file', 'policy-configmap', 'use-legacy-policy-config']),
  ...without('kube-scheduler', 28, ['lock-object-name', 'lock-object-namespace']),
  ...without('kube-proxy', 24, ['experimental-logging-sanitization']),
  ...without('kube-proxy', 26, ['udp-timeout']),
  ...without('kube-proxy', 31, ['proxy-port-range']),
  { component: 'kubelet', flag: 'experimental-bootstrap-kubeconfig', in: 23, instead: 'bootstrap-kubeconfig' },
  ...without('kubelet', 23, ['seccomp-profile-root']),
  ...without('kubelet', 24, [
    'cni-bin-dir',
    'cni-cache-dir',
    'cni-conf-dir',
    'docker-endpoint',
    'dynamic-config-dir',
    'experimental-check-node-capabilities-before-mount',
    'experimental-dockershim-root-directory',
    'experimental-logging-sanitization',
    'image-pull-progress-deadline',
    'network-plugin',
    'network-plugin-mtu',
    'non-masquerade-cidr',
  ]),
  ...without('kubelet', 25, ['experimental-kernel-memcg-notification']),
  ...without('kubelet', 27, ['container-runtime', 'master-service-namespace']),
  {
    component: 'kubelet',
    flag: 'azure-container-registry-config',
    in: 30,
    instead: 'image-credential-provider-config',
  },
  ...without('kubelet', 31, ['iptables-drop-bit', 'iptables-masquerade-bit', 'keep-terminated-pod-volumes']),
  { component: 'kubelet', flag: 'register-schedulable', in: 34, instead: 'spec.taints' },
  ...without('kubelet', 34, ['cloud-config']),
  ...without('kubelet', 35, ['pod-infra-container-image']),
];

/** Components that a worker has. */
const OF_WORKERS: ReadonlySet<Component> = new Set(['kube-proxy', 'kubelet']);

/**
 * Throws Unsupported for the first flag that the component of this version does not know.
 * @param fields  of the bootstrapper @param config  as the claim has it
 */
export function refuseRemovedFlags(
  fields: FlagFields,
  config: unknown,
  {
    role,
    version,
    owner,
  }: { readonly role: Machine['spec']['role']; readonly version: string; readonly owner: string },
): void {
  for (const { component, flag, in: first, instead = 'nothing' } of REMOVED) {
    const path = fields[component];
    if (path === undefined || minor(version) < first) continue;
    if (role === 'worker' && !OF_WORKERS.has(component)) continue;
    const key = keyOf(at(config, ...path), flag);
    if (key !== undefined)
      throw refusalFor(
        owner,
        `spec.bootstrap.config.${path.join('.')}${key}`,
        `${component} of ${version} does not start with the flag ${flag}, which v1.${first} removed; accepted: ${instead}`,
        'Unsupported',
      );
  }
}

/** Its place among the flags. */
function keyOf(flags: unknown, flag: string): string | undefined {
  if (!Array.isArray(flags)) return isJsonObject(flags) && Object.hasOwn(flags, flag) ? `.${flag}` : undefined;
  const index = (flags as readonly unknown[]).findIndex((one) => nameOf(one) === flag);
  return index < 0 ? undefined : `[${index}]`;
}

function nameOf(flag: unknown): string | undefined {
  return typeof flag === 'string' ? flag.replace(/^-+/, '').split('=')[0] : undefined;
}
