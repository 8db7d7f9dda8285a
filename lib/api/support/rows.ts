/**
 * The table of claims: every field of a Cluster, a NodePool and a Machine has one row. What a flavour makes of the
 * fields in BY_FLAVOUR stands in its own column, in its own folder; the other fields mean the same on all of them,
 * because no step that reads them knows a cloud.
 */

export type ClaimKind = 'Cluster' | 'NodePool' | 'Machine';

/** Where the field is in each kind that has it. */
export type Places = Readonly<Partial<Record<ClaimKind, string>>>;

/** The machines of a control plane, of a pool, and one machine. */
function inMachines(field: string): Places {
  return {
    Cluster: `spec.controlPlane.machine.${field}`,
    NodePool: `spec.machine.${field}`,
    Machine: `spec.machine.${field}`,
  };
}

function everywhere(field: string): Places {
  return { Cluster: `spec.${field}`, NodePool: `spec.${field}`, Machine: `spec.${field}` };
}

function inClaims(field: string): Places {
  return { Cluster: `spec.${field}`, NodePool: `spec.${field}` };
}

function inCluster(field: string): Places {
  return { Cluster: `spec.${field}` };
}

/** Fields that a flavour honours, maps or refuses. */
export const BY_FLAVOUR = {
  version: everywhere('version'),
  region: inCluster('region'),
  'network.pods': inCluster('network.pods'),
  'network.services': inCluster('network.services'),
  'network.nodes': inCluster('network.nodes'),
  'network.dnsDomain': inCluster('network.dnsDomain'),
  'controlPlane.replicas': inCluster('controlPlane.replicas'),
  'controlPlane.endpoint.host': inCluster('controlPlane.endpoint.host'),
  'controlPlane.endpoint.port': inCluster('controlPlane.endpoint.port'),
  'controlPlane.scheme': inCluster('controlPlane.scheme'),
  'controlPlane.allowedCIDRs': inCluster('controlPlane.allowedCIDRs'),
  'machine.class': inMachines('class'),
  'machine.instanceType': inMachines('instanceType'),
  'machine.image': inMachines('image'),
  'machine.os': inMachines('os'),
  'machine.capacityType': inMachines('capacityType'),
  'machine.rootDisk.sizeGiB': inMachines('rootDisk.sizeGiB'),
  'machine.rootDisk.type': inMachines('rootDisk.type'),
  'machine.rootDisk.encrypted': inMachines('rootDisk.encrypted'),
  'machine.dataDisks[].name': inMachines('dataDisks[].name'),
  'machine.dataDisks[].sizeGiB': inMachines('dataDisks[].sizeGiB'),
  'machine.dataDisks[].type': inMachines('dataDisks[].type'),
  'machine.dataDisks[].encrypted': inMachines('dataDisks[].encrypted'),
  'machine.zones': { Cluster: 'spec.controlPlane.machine.zones', NodePool: 'spec.machine.zones' },
  failureDomain: { Machine: 'spec.failureDomain' },
  'bootstrap.provider': { Cluster: 'spec.bootstrap.provider', Machine: 'spec.bootstrap.provider' },
  'bootstrap.config': everywhere('bootstrap.config'),
  'provisioning.format': everywhere('provisioning.format'),
  'infrastructure.existing.network.id': inCluster('infrastructure.existing.network.id'),
  'infrastructure.existing.subnets[].id': inCluster('infrastructure.existing.subnets[].id'),
  'infrastructure.existing.subnets[].zone': inCluster('infrastructure.existing.subnets[].zone'),
  'infrastructure.existing.subnets[].public': inCluster('infrastructure.existing.subnets[].public'),
  'infrastructure.existing.securityGroups.controlPlane': inCluster(
    'infrastructure.existing.securityGroups.controlPlane',
  ),
  'infrastructure.existing.securityGroups.worker': inCluster('infrastructure.existing.securityGroups.worker'),
  'infrastructure.existing.identities.controlPlane': inCluster('infrastructure.existing.identities.controlPlane'),
  'infrastructure.existing.identities.worker': inCluster('infrastructure.existing.identities.worker'),
  'infrastructure.existing.loadBalancerTargets[].id': inCluster('infrastructure.existing.loadBalancerTargets[].id'),
  'infrastructure.existing.loadBalancerTargets[].port': inCluster('infrastructure.existing.loadBalancerTargets[].port'),
  'infrastructure.existing.resourceGroup.id': inCluster('infrastructure.existing.resourceGroup.id'),
  'infrastructure.existing.encryptionKey.id': inCluster('infrastructure.existing.encryptionKey.id'),
  'infrastructure.overrides[].kind': everywhere('infrastructure.overrides[].kind'),
  'infrastructure.overrides[].resource': everywhere('infrastructure.overrides[].resource'),
  'infrastructure.overrides[].patch': everywhere('infrastructure.overrides[].patch'),
  'infrastructure.overrides[].patchFrom.configMap.name': inClaims(
    'infrastructure.overrides[].patchFrom.configMap.name',
  ),
  'infrastructure.overrides[].patchFrom.configMap.key': inClaims('infrastructure.overrides[].patchFrom.configMap.key'),
  'infrastructure.providerConfigRef.kind': inCluster('infrastructure.providerConfigRef.kind'),
  'infrastructure.providerConfigRef.name': inCluster('infrastructure.providerConfigRef.name'),
} as const satisfies Readonly<Record<string, Places>>;

export type FlavourField = keyof typeof BY_FLAVOUR;

/** Who makes something of a field that means the same everywhere. */
export type Worker = 'cluster' | 'bootstrap' | 'provisioning' | 'addons' | 'nodepool' | 'in-place-update' | 'machine';

export interface Row {
  /** Name of the row: a path below spec, the same for every kind that has the field. */
  readonly field: string;
  readonly places: Places;
  /** The step that makes something of it; undefined: the flavour does. */
  readonly by: Worker | undefined;
}

type Placed = (field: string) => Places;

function rows(by: Worker, placed: Placed, fields: readonly string[]): readonly Row[] {
  return fields.map((field) => ({ field, places: placed(field), by }));
}

const inPools: Placed = (field) => ({ NodePool: `spec.${field}` });
const inMachine: Placed = (field) => ({ Machine: `spec.${field}` });
const onNodes: Placed = (field) => ({
  Cluster: `spec.controlPlane.${field}`,
  NodePool: `spec.${field}`,
  Machine: `spec.${field}`,
});
const ofDrains: Placed = (field) => ({
  Cluster: `spec.update.${field}`,
  NodePool: `spec.update.${field}`,
  Machine: `spec.${field}`,
});

const secretKey = (field: string): readonly string[] => [`${field}.secret.name`, `${field}.secret.key`];
const selector = (field: string): readonly string[] => [
  `${field}.matchLabels`,
  ...['key', 'operator', 'values'].map((name) => `${field}.matchExpressions[].${name}`),
];
const below = (prefix: string, fields: readonly string[]): readonly string[] =>
  fields.map((field) => `${prefix}.${field}`);

/** Settings of the first boot: what a format cannot express is refused by that format. */
const PROVISIONING = below('provisioning', [
  ...below('files[]', ['path', 'content', ...secretKey('contentFrom'), 'encoding', 'mode', 'owner', 'append']),
  ...below('users[]', [
    'name',
    'gecos',
    'groups',
    'shell',
    'sudo',
    'sshAuthorizedKeys',
    'passwordHash',
    'lockPassword',
    'uid',
    'primaryGroup',
    'homeDir',
    'system',
    'expires',
  ]),
  ...secretKey('users[].passwordHashFrom'),
  ...below('groups[]', ['name', 'gid']),
  ...below('commands', ['pre', ...secretKey('preFrom[]'), 'post', ...secretKey('postFrom[]')]),
  'packages',
  'ntp.servers',
  'timezone',
  'sysctls',
  'kernelModules',
  'caCertificates',
  ...below('units[]', ['name', 'contents', ...secretKey('contentsFrom'), 'enabled']),
  ...below('units[].dropIns[]', ['name', 'contents', ...secretKey('contentsFrom')]),
  ...below('disks[]', ['device', 'wipe', 'partitions[].label', 'partitions[].sizeMiB']),
  ...below('filesystems[]', ['device', 'format', 'label', 'options', 'wipe']),
  ...below('mounts[]', ['device', 'path', 'format', 'options']),
  ...below('swap', ['path', 'sizeMiB']),
  ...below('hosts[]', ['address', 'names']),
  'kernelArguments',
  ...below('proxy', ['http', ...secretKey('httpFrom'), 'https', ...secretKey('httpsFrom'), 'none']),
  ...below('registries[]', ['host', 'mirrors', 'caCertificate', ...secretKey('credentialsFrom')]),
  'raw',
]);

const DRAIN = below('drain', [
  'timeout',
  'onTimeout',
  'volumeDetachTimeout',
  'gracePeriodSeconds',
  ...below('rules[]', ['behaviour', 'order', ...selector('podSelector'), ...selector('namespaceSelector')]),
  'skip',
]);

const HEALTH = below('health', [
  'nodeStartupTimeout',
  ...below('unhealthyConditions[]', ['type', 'status', 'timeout']),
  'maxUnhealthy',
  'unhealthyRange',
  'maxInFlight',
  'retryPeriod',
  'minHealthyPeriod',
  'maxRetry',
]);

const ADDONS = below('addons[]', [
  'name',
  'namespace',
  'when',
  'wait',
  'policy',
  ...below('chart', ['repository', 'name', 'version', 'values']),
  ...secretKey('chart.valuesFrom[]'),
  ...below('chart.valuesFrom[].configMap', ['name', 'key']),
  ...below('manifests', ['objects', 'configMap.name', 'configMap.key']),
  'default',
]);

const UPDATER = below('updaters[]', ['name', 'runsOn', 'disruptive', 'timeout', 'fields']);

/** The cluster step knows the ids before a flavour sees the claim. */
const REFERENCES = [
  'network.ref',
  'subnets[].ref',
  'securityGroups.controlPlaneRefs[]',
  'securityGroups.workerRefs[]',
  'identities.controlPlaneRef',
  'identities.workerRef',
  'loadBalancerTargets[].ref',
  'resourceGroup.ref',
  'encryptionKey.ref',
].flatMap((part) => below(`infrastructure.existing.${part}`, ['name', 'matchLabels']));

/** Every row: of flavours first, then of steps in the order in which a claim meets them. */
export const ROWS: readonly Row[] = [
  ...Object.entries(BY_FLAVOUR).map(([field, places]): Row => ({ field, places, by: undefined })),
  ...rows('cluster', inCluster, ['deletionProtection', ...REFERENCES]),
  ...rows('provisioning', everywhere, PROVISIONING),
  ...rows('addons', inCluster, ADDONS),
  ...rows('nodepool', inPools, ['clusterRef.name', 'role', 'replicas', 'deletion.order']),
  ...rows('nodepool', inClaims, HEALTH),
  ...rows('in-place-update', inPools, ['update.strategy', 'update.maxSurge', 'update.maxUnavailable']),
  ...rows('in-place-update', inClaims, [
    'paused',
    'update.fallback',
    'update.minReadySeconds',
    'update.rolloutAfter',
    'update.expireAfter',
  ]),
  ...rows('machine', inMachine, ['clusterRef.name', 'nodePoolRef.name', 'role', 'rolloutAfter', 'bootstrap.action']),
  ...rows('machine', inMachine, below('update', ['id', 'disruptive', ...UPDATER])),
  ...rows('machine', onNodes, ['labels', 'annotations', 'taints[].key', 'taints[].value', 'taints[].effect']),
  ...rows('machine', ofDrains, DRAIN),
];
