/** Another value for each field that flavours decide about, with the names of one flavour. */
import type { Json, JsonObject, KubeObject } from '#lib/api/json.ts';
import type { ClaimKind, FlavourField } from '#lib/api/support/rows.ts';

/** What a cloud brings in its claims.fixture.ts. */
export interface FlavourSamples {
  readonly instanceTypes: readonly [string, string];
  readonly image: string;
  readonly diskTypes: readonly [wanted: string, other: string];
  /** Not the first one of the region. */
  readonly zone: string;
  readonly existing: JsonObject;
  readonly other: { readonly network: string; readonly subnet: string; readonly zone: string };
  /** Two ids for each other part that may exist. */
  readonly parts: {
    readonly securityGroups: readonly [string, string];
    readonly identities: readonly [string, string];
    readonly loadBalancerTargets: readonly [string, string];
    readonly resourceGroups: readonly [string, string];
    readonly encryptionKeys: readonly [string, string];
  };
  /** Of a virtual machine, and of a part of the cluster; both allowed by default. */
  readonly overrides: readonly [JsonObject, JsonObject];
  /** What somebody else wrote before there are claims. */
  readonly before?: readonly KubeObject[];
  /** Managed resources that claims name instead of ids: `first` and `other` of each kind. */
  readonly observers?: readonly KubeObject[];
  /** Merged into the spec of the Cluster that the test begins with; null takes a field away. */
  readonly cluster?: JsonObject;
  /** For a refused field that no claim can have alone: the one that is refused first. */
  readonly refusedFirst?: Readonly<Partial<Record<FlavourField, string>>>;
  /** Settings of the platform that a field needs to do something. */
  readonly machineInput?: JsonObject;
}

export interface FlavourSample {
  /** The field, with indexes, if it is in lists. */
  readonly field?: string;
  readonly to: Json;
  readonly given?: (kind: ClaimKind) => JsonObject;
  /** Part of the line, for a value that only some kinds refuse. */
  readonly refused?: string;
  /** Below spec: the field that is refused first, where a claim cannot have this one alone. */
  readonly refusedFirst?: string;
}

/** A pool gives its machines the format of Windows; a Machine by itself states it. */
function ofWindows(kind: ClaimKind): JsonObject {
  return kind === 'Machine' ? { provisioning: { format: 'cloudbase-init' } } : {};
}

export function flavourSamples(cloud: FlavourSamples): Readonly<Record<FlavourField, FlavourSample>> {
  const { refusedFirst = {} } = cloud;
  const samples = Object.entries(allSamples(cloud)) as readonly (readonly [FlavourField, FlavourSample])[];
  const marked = samples.map(([field, sample]) => {
    const first = refusedFirst[field];
    return [field, first === undefined ? sample : { ...sample, refusedFirst: first }] as const;
  });
  return Object.fromEntries(marked) as Record<FlavourField, FlavourSample>;
}

function allSamples(cloud: FlavourSamples): Readonly<Record<FlavourField, FlavourSample>> {
  const [type, otherType] = cloud.instanceTypes;
  const byType = inMachine({ class: null, instanceType: type });
  const [diskType, otherDiskType] = cloud.diskTypes;
  const disks = inMachine({ dataDisks: ['data', 'more'].map((name) => ({ name, sizeGiB: 100, type: otherDiskType })) });
  const endpoint = () => ({ controlPlane: { endpoint: { host: 'api.example.com' } } });
  const existing = () => ({ infrastructure: { existing: cloud.existing } });
  const part = (name: 'securityGroups' | 'identities' | 'loadBalancerTargets', first: (id: string) => Json) => () => ({
    controlPlane: { endpoint: { host: 'api.example.com' }, scheme: null },
    infrastructure: { existing: { [name]: first(cloud.parts[name][0]) } },
  });
  const single = (name: 'resourceGroup' | 'encryptionKey'): FlavourSample => {
    const [first, second] = cloud.parts[`${name}s`];
    return { to: second, given: () => ({ infrastructure: { existing: { [name]: { id: first } } } }) };
  };
  const groups = part('securityGroups', (id) => ({ controlPlane: [id], worker: [id] }));
  const identities = part('identities', (id) => ({ controlPlane: id, worker: id }));
  const targets = part('loadBalancerTargets', (id) => [{ id, port: 6443 }]);
  const target = (field: string) => `infrastructure.existing.loadBalancerTargets[0].${field}`;
  const subnet = (field: string) => `infrastructure.existing.subnets[0].${field}`;
  const credentials = () => ({ infrastructure: { providerConfigRef: { kind: 'ProviderConfig', name: 'first' } } });
  const referring = (kind: ClaimKind): JsonObject => {
    const patchFrom = { configMap: { name: 'patches', key: 'nothing' } };
    return {
      infrastructure: { overrides: [{ kind: cloud.overrides[kind === 'Cluster' ? 1 : 0]['kind'] ?? '', patchFrom }] },
    };
  };
  const override = (kind: ClaimKind) => ({
    infrastructure: { overrides: [cloud.overrides[kind === 'Cluster' ? 1 : 0]] },
  });
  return {
    version: { to: 'v1.36.2' },
    region: { to: 'us-east' },
    'network.pods': { to: '10.200.0.0/16' },
    'network.services': { to: '10.100.0.0/16' },
    'network.nodes': { to: '10.1.0.0/16' },
    'network.dnsDomain': { to: 'example.local' },
    'controlPlane.replicas': { to: 3 },
    'controlPlane.endpoint.host': { to: 'other.example.com', given: endpoint },
    'controlPlane.endpoint.port': { to: 443, given: endpoint },
    'controlPlane.scheme': { to: 'internal' },
    'controlPlane.allowedCIDRs': { to: ['198.51.100.0/24'] },
    'machine.class': { to: 'standard-8' },
    'machine.instanceType': { to: otherType, given: byType },
    'machine.image': { to: cloud.image },
    'machine.os': { to: 'windows', refused: 'spec.', given: ofWindows },
    'machine.capacityType': { to: 'spot', refused: 'spec.' },
    'machine.rootDisk.sizeGiB': { to: 80 },
    'machine.rootDisk.type': { to: diskType },
    'machine.rootDisk.encrypted': { to: false },
    'machine.dataDisks[].name': { field: 'machine.dataDisks[0].name', to: 'logs', given: disks },
    'machine.dataDisks[].sizeGiB': { field: 'machine.dataDisks[0].sizeGiB', to: 200, given: disks },
    'machine.dataDisks[].type': { field: 'machine.dataDisks[0].type', to: diskType, given: disks },
    'machine.dataDisks[].encrypted': { field: 'machine.dataDisks[0].encrypted', to: false, given: disks },
    'machine.zones': { to: [cloud.zone] },
    failureDomain: { to: cloud.zone },
    // Of those that download nothing, and so need no checksum.
    'bootstrap.provider': { to: 'microk8s' },
    'bootstrap.config': { to: { kubelet: { extraArgs: { v: '4' } } } },
    'provisioning.format': { to: 'ignition' },
    'infrastructure.existing.network.id': { to: cloud.other.network, given: existing },
    'infrastructure.existing.subnets[].id': { field: subnet('id'), to: cloud.other.subnet, given: existing },
    'infrastructure.existing.subnets[].zone': { field: subnet('zone'), to: cloud.other.zone, given: existing },
    'infrastructure.existing.subnets[].public': { field: subnet('public'), to: true, given: existing },
    'infrastructure.existing.securityGroups.controlPlane': { to: [cloud.parts.securityGroups[1]], given: groups },
    'infrastructure.existing.securityGroups.worker': { to: [cloud.parts.securityGroups[1]], given: groups },
    'infrastructure.existing.identities.controlPlane': { to: cloud.parts.identities[1], given: identities },
    'infrastructure.existing.identities.worker': { to: cloud.parts.identities[1], given: identities },
    'infrastructure.existing.loadBalancerTargets[].id': {
      field: target('id'),
      to: cloud.parts.loadBalancerTargets[1],
      given: targets,
    },
    'infrastructure.existing.loadBalancerTargets[].port': { field: target('port'), to: 443, given: targets },
    'infrastructure.existing.resourceGroup.id': single('resourceGroup'),
    'infrastructure.existing.encryptionKey.id': single('encryptionKey'),
    'infrastructure.overrides[].kind': {
      field: 'infrastructure.overrides[0].kind',
      to: 'Nothing',
      refused: 'overrides[0].kind: "Nothing" is not accepted',
      given: override,
    },
    'infrastructure.overrides[].resource': {
      field: 'infrastructure.overrides[0].resource',
      to: 'none',
      refused: 'overrides[0].resource: "none" is not accepted',
      given: override,
    },
    'infrastructure.overrides[].patchFrom.configMap.name': {
      field: 'infrastructure.overrides[0].patchFrom.configMap.name',
      to: 'none',
      given: referring,
      refused: 'the name of a ConfigMap in namespace team-a',
    },
    'infrastructure.overrides[].patchFrom.configMap.key': {
      field: 'infrastructure.overrides[0].patchFrom.configMap.key',
      to: 'none',
      given: referring,
      refused: 'a key of ConfigMap "team-a/patches": nothing',
    },
    'infrastructure.providerConfigRef.kind': { to: 'ClusterProviderConfig', given: credentials },
    'infrastructure.providerConfigRef.name': { to: 'second', given: credentials },
    'infrastructure.overrides[].patch': {
      field: 'infrastructure.overrides[0].patch',
      to: { metadata: {} },
      given: override,
    },
  };
}

function inMachine(fields: JsonObject): (kind: ClaimKind) => JsonObject {
  return (kind) => (kind === 'Cluster' ? { controlPlane: { machine: fields } } : { machine: fields });
}
