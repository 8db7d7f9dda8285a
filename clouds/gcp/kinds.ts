/**
 * The GCP kinds that Slipway composes, by API group, each group with one version. The simulated cloud has its own list,
 * because it checks this one.
 */
import type { KubeObject } from '#lib/api/json.ts';

const DOMAIN = 'gcp.m.upbound.io';

const GROUPS = {
  compute: {
    version: 'v1beta1',
    kinds: [
      'Network',
      'Subnetwork',
      'Router',
      'RouterNAT',
      'Address',
      'Firewall',
      'NetworkEndpointGroup',
      'NetworkEndpoint',
      'RegionHealthCheck',
      'RegionBackendService',
      'ForwardingRule',
      'Disk',
      'Instance',
    ],
  },
  cloudplatform: { version: 'v1beta1', kinds: ['ServiceAccount', 'ProjectIAMMember', 'ServiceAccountIAMMember'] },
  secretmanager: { version: 'v1beta1', kinds: ['Secret', 'SecretVersion'] },
} as const;

type Group = keyof typeof GROUPS;
export type GcpKind = (typeof GROUPS)[Group]['kinds'][number];

const GROUP_OF: ReadonlyMap<GcpKind, Group> = new Map(
  (Object.keys(GROUPS) as Group[]).flatMap((group) => GROUPS[group].kinds.map((kind) => [kind, group] as const)),
);

export const GCP_KINDS: readonly GcpKind[] = [...GROUP_OF.keys()];

/** What the machine step composes, by kind, with its composition resource names; all other kinds belong to the cluster step. */
export const MACHINE_RESOURCES = {
  Disk: ['disk-*'],
  Instance: ['instance'],
  NetworkEndpoint: ['endpoint'],
  Secret: ['first-boot-secret', 'first-boot-packed'],
  SecretVersion: ['first-boot-data'],
} as const satisfies Partial<Record<GcpKind, readonly string[]>>;

export const MACHINE_KINDS: ReadonlySet<GcpKind> = new Set(Object.keys(MACHINE_RESOURCES) as GcpKind[]);

/** Kinds of the cluster step with a field for the region; others are global, or have a zone. */
const REGIONAL: ReadonlySet<GcpKind> = new Set([
  'Subnetwork',
  'Router',
  'RouterNAT',
  'Address',
  'RegionHealthCheck',
  'RegionBackendService',
  'ForwardingRule',
]);

/** Such as compute.gcp.m.upbound.io. */
export function groupOf(kind: GcpKind): string {
  return `${serviceOf(kind)}.${DOMAIN}`;
}

export function apiVersionOf(kind: GcpKind): string {
  return `${groupOf(kind)}/${GROUPS[serviceOf(kind)].version}`;
}

export function hasRegion(kind: GcpKind): boolean {
  return REGIONAL.has(kind);
}

/** Whether an object is a GCP resource of any kind and version. */
export function isOfGcp({ apiVersion }: KubeObject): boolean {
  return (apiVersion.split('/')[0] ?? '').endsWith(`.${DOMAIN}`);
}

function serviceOf(kind: GcpKind): Group {
  return GROUP_OF.get(kind) ?? 'compute';
}
