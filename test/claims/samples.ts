/**
 * For every row of the table of claims that no flavour decides about: another value of its field, and what has to be in
 * the claim for it. Indexes say which item of a list it is in. A new field fails a test until it is here.
 */
import type { Json, JsonObject } from '#lib/api/json.ts';
import type { ClaimKind } from '#lib/api/support/rows.ts';
import { mergePatch } from '#lib/fn/overrides.ts';
import { CERTIFICATE } from '../support/everything.ts';

export interface Sample {
  /** The other value. */
  readonly to: Json;
  /** Laid over `spec.provisioning` of every such sample: null takes a field away. */
  readonly given?: JsonObject;
  /** Part of the line that refuses the other value, which says which object it is, or which no claim of the test may have. */
  readonly refused?: string;
}

const from = (name = 'first', key = 'a') => ({ secret: { name, key } });

const EXPRESSION: JsonObject = { key: 'app', operator: 'In', values: ['a'] };

const IN_PROVISIONING: JsonObject = {
  files: [
    { path: '/etc/one', content: 'one' },
    { path: '/etc/two', contentFrom: from() },
  ],
  users: [{ name: 'ops' }, { name: 'dev', passwordHashFrom: from('hashes') }],
  groups: [{ name: 'app' }],
  commands: { pre: ['true'], preFrom: [from()], post: ['true'], postFrom: [from()] },
  packages: ['htop'],
  ntp: { servers: ['10.0.0.1'] },
  timezone: 'Europe/Zurich',
  sysctls: { 'vm.swappiness': '1' },
  kernelModules: ['nf_conntrack'],
  units: [
    { name: 'one.service', contents: '[Service]\nExecStart=/bin/true\n' },
    { name: 'two.service', contentsFrom: from() },
    {
      name: 'kubelet.service',
      dropIns: [
        { name: '20-one.conf', contents: '[Service]\nNice=-5\n' },
        { name: '30-two.conf', contentsFrom: from() },
      ],
    },
  ],
  disks: [{ device: '/dev/sdb', partitions: [{}] }],
  filesystems: [{ device: '/dev/sdb1', label: 'data' }],
  mounts: [{ device: 'LABEL=data', path: '/data' }],
  swap: { path: '/swap', sizeMiB: 64 },
  hosts: [{ address: '10.0.0.9', names: ['registry'] }],
  proxy: { http: 'http://proxy:3128', https: 'http://proxy:3128' },
  registries: [{ host: 'docker.io', mirrors: ['https://mirror.example.com'], credentialsFrom: from('users') }],
};

const to = (value: Json, given?: JsonObject): Sample => (given === undefined ? { to: value } : { to: value, given });
const identity = (value: Json, refused: string): Sample => ({ to: value, refused });
const inSecret = (field: string, given?: JsonObject): Readonly<Record<string, Sample>> => ({
  [`${field}.secret.name`]: to('second', given),
  [`${field}.secret.key`]: to('b', given),
});
const under = (
  prefix: string,
  samples: Readonly<Record<string, Json | Sample>>,
  given?: JsonObject,
): Readonly<Record<string, Sample>> =>
  Object.fromEntries(
    Object.entries(samples).map(([field, sample]) => [
      `${prefix}.${field}`,
      isSample(sample) ? sample : to(sample, given),
    ]),
  );
const isSample = (sample: Json | Sample): sample is Sample =>
  typeof sample === 'object' && sample !== null && 'to' in sample;

const IGNITION: JsonObject = {
  format: 'ignition',
  packages: null,
  ntp: null,
};
const PARTITIONS: JsonObject = {
  disks: [{ device: '/dev/sdb', partitions: [{ label: 'data', sizeMiB: 100 }, {}] }],
};
const HTTP: JsonObject = { proxy: { http: null, httpFrom: from() } };
const HTTPS: JsonObject = { proxy: { https: null, httpsFrom: from() } };

const PROVISIONING: Readonly<Record<string, Sample>> = under('provisioning', {
  ...under('files[0]', { path: '/etc/other', content: 'other', mode: '0600', owner: 'ops:ops', append: true }),
  'files[0].encoding': to('base64', { files: [{ path: '/etc/one', content: 'QUJD' }] }),
  ...inSecret('files[1].contentFrom'),
  ...under('users[0]', { name: 'other', gecos: 'Zoë', groups: ['adm'], shell: '/bin/zsh' }),
  ...under('users[0]', { sudo: 'ALL=(ALL) ALL', sshAuthorizedKeys: ['ssh-ed25519 AAAA fake'] }),
  'users[0].passwordHash': to('$6$fake$other'),
  'users[0].lockPassword': to(true, { users: [{ name: 'ops', passwordHash: '$6$fake$fake' }] }),
  ...under('users[0]', {
    uid: 1501,
    primaryGroup: 'adm',
    homeDir: '/srv/ops',
    system: true,
    expires: '2100-01-01',
  }),
  ...under('users[1].passwordHashFrom.secret', { name: 'other-hashes', key: 'b' }),
  ...under('groups[0]', { name: 'other', gid: 1500 }),
  ...under('commands', { pre: ['false'], post: ['false'] }),
  ...inSecret('commands.preFrom[0]'),
  ...inSecret('commands.postFrom[0]'),
  packages: to(['vim']),
  'ntp.servers': to(['10.0.0.2']),
  timezone: to('Europe/Vienna'),
  sysctls: to({ 'vm.swappiness': '2' }),
  kernelModules: to(['br_netfilter']),
  caCertificates: to([CERTIFICATE]),
  ...under('units[0]', { name: 'other.service', contents: '[Service]\nExecStart=/bin/false\n', enabled: true }),
  ...inSecret('units[1].contentsFrom'),
  ...under('units[2].dropIns[0]', { name: '25-other.conf', contents: '[Service]\nNice=5\n' }),
  ...inSecret('units[2].dropIns[1].contentsFrom'),
  ...under('disks[0]', { device: '/dev/sdc', wipe: true }),
  ...under('disks[0].partitions[0]', { label: 'other', sizeMiB: 200 }, PARTITIONS),
  ...under('filesystems[0]', { device: '/dev/sdc1', format: 'xfs', label: 'other', options: ['-K'], wipe: true }),
  ...under('mounts[0]', { device: '/dev/sdc1', path: '/other', format: 'ext4', options: ['noatime'] }),
  ...under('swap', { path: '/other', sizeMiB: 128 }),
  ...under('hosts[0]', { address: '10.0.0.8', names: ['other'] }),
  kernelArguments: to(['quiet'], IGNITION),
  ...under('proxy', { http: 'http://other:3128', https: 'http://other:3128', none: ['.internal'] }),
  ...inSecret('proxy.httpFrom', HTTP),
  ...inSecret('proxy.httpsFrom', HTTPS),
  ...under('registries[0]', { host: 'quay.io', mirrors: ['https://other.example.com'], caCertificate: CERTIFICATE }),
  ...under('registries[0].credentialsFrom.secret', { name: 'other-users', key: 'b' }),
  raw: to({ 'cloud-init': { final_message: 'over' } }),
});

const SELECTOR: Readonly<Record<string, Json>> = {
  matchLabels: { app: 'a' },
  'matchExpressions[0].key': 'other',
  'matchExpressions[0].operator': 'NotIn',
  'matchExpressions[0].values': ['b'],
};

const DRAIN: Readonly<Record<string, Sample>> = under('drain', {
  timeout: '5m',
  onTimeout: 'Hold',
  volumeDetachTimeout: '1m',
  gracePeriodSeconds: 5,
  skip: true,
  ...under('rules[0]', {
    behaviour: 'Drain',
    order: 1,
  }),
  ...under('rules[0].podSelector', SELECTOR),
  ...under('rules[0].namespaceSelector', SELECTOR),
});

const CHART: JsonObject = {
  name: 'chart',
  chart: {
    repository: 'https://charts.example.com',
    name: 'one',
    version: '1.0.0',
    valuesFrom: [from(), { configMap: { name: 'first', key: 'a' } }],
  },
};
const OBJECT = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const ADDONS_GIVEN: readonly JsonObject[] = [
  CHART,
  { name: 'objects', manifests: { objects: [OBJECT('one')] } },
  { name: 'map', manifests: { configMap: { name: 'first', key: 'a' } } },
  { name: 'tigera-operator', default: 'Install' },
];

const ADDONS: Readonly<Record<string, Sample>> = under('addons[0]', {
  name: 'other',
  namespace: 'other',
  when: 'NodesJoining',
  wait: true,
  policy: 'Delete',
  ...under('chart', {
    repository: 'https://other.example.com',
    name: 'two',
    version: '2.0.0',
    values: { a: 1 },
  }),
  ...inSecret('chart.valuesFrom[0]'),
  ...under('chart.valuesFrom[1].configMap', {
    name: 'second',
    key: 'b',
  }),
});
const MANIFESTS: Readonly<Record<string, Sample>> = {
  'addons[1].manifests.objects': to([OBJECT('two')]),
  ...under('addons[2].manifests.configMap', { name: 'second', key: 'b' }),
  'addons[3].default': to('Skip'),
};

const HEALTH: Readonly<Record<string, Sample>> = under('health', {
  nodeStartupTimeout: '5m',
  maxUnhealthy: '10%',
  unhealthyRange: '[1-3]',
  maxInFlight: 1,
  retryPeriod: '1m',
  minHealthyPeriod: '2m',
  maxRetry: 3,
  ...under('unhealthyConditions[0]', {
    type: 'DiskPressure',
    status: 'Unknown',
    timeout: '1m',
  }),
});

/** Of fields that mean the same on every flavour. */
/** A managed resource instead of an id. @param around what a claim needs around it */
const reference = (part: string, around: (ref: JsonObject) => JsonObject): Readonly<Record<string, Sample>> => ({
  [`infrastructure.existing.${part}.name`]: { to: 'other', given: around({ name: 'first' }), refused: 'since AWS' },
  [`infrastructure.existing.${part}.matchLabels`]: {
    to: { net: 'b' },
    given: around({ matchLabels: { net: 'a' } }),
    refused: 'since AWS',
  },
});
const NETWORK: JsonObject = { network: { id: 'vpc-0a1b2c3d' }, subnets: [{ id: 'subnet-0a', zone: 'eu-west-1a' }] };
const REFERENCES: Readonly<Record<string, Sample>> = {
  ...reference('network.ref', (ref) => ({ ...NETWORK, network: { ref } })),
  ...reference('subnets[0].ref', (ref) => ({ ...NETWORK, subnets: [{ ref, zone: 'eu-west-1a' }] })),
  ...reference('securityGroups.controlPlaneRefs[0]', (ref) => ({
    securityGroups: { controlPlaneRefs: [ref], worker: ['sg-0a'] },
  })),
  ...reference('securityGroups.workerRefs[0]', (ref) => ({
    securityGroups: { controlPlane: ['sg-0a'], workerRefs: [ref] },
  })),
  ...reference('identities.controlPlaneRef', (ref) => ({
    identities: { controlPlaneRef: ref, worker: 'shared-nodes' },
  })),
  ...reference('identities.workerRef', (ref) => ({ identities: { controlPlane: 'shared-nodes', workerRef: ref } })),
  ...reference('loadBalancerTargets[0].ref', (ref) => ({ loadBalancerTargets: [{ ref }] })),
  ...reference('resourceGroup.ref', (ref) => ({ resourceGroup: { ref } })),
  ...reference('encryptionKey.ref', (ref) => ({ encryptionKey: { ref } })),
};

export const NEUTRAL: Readonly<Record<string, Sample>> = {
  ...REFERENCES,
  ...PROVISIONING,
  ...DRAIN,
  ...ADDONS,
  ...MANIFESTS,
  ...HEALTH,
  deletionProtection: to(true),
  paused: to(true),
  'clusterRef.name': identity('other', 'is not accepted'),
  'nodePoolRef.name': to('other'),
  role: identity('control-plane', 'is not accepted'),
  replicas: to(2),
  'deletion.order': to('Oldest'),
  ...under('update', { strategy: 'OnDelete', maxSurge: 2, maxUnavailable: 1, fallback: 'Hold', minReadySeconds: 5 }),
  'update.rolloutAfter': to('2025-01-01T00:00:00Z'),
  'update.expireAfter': to('8000h'),
  rolloutAfter: to('2025-01-01T00:00:00Z'),
  'bootstrap.action': identity('Init', 'is not accepted'),
  ...under('update', { id: 'other', disruptive: true }),
  ...under('update.updaters[0]', { name: 'other', runsOn: 'Node', disruptive: true, timeout: '1m' }),
  'update.updaters[0].fields': to(['spec.provisioning']),
  labels: to({ team: 'a' }),
  annotations: to({ team: 'a' }),
  ...under('taints[0]', { key: 'other', value: 'b', effect: 'NoExecute' }),
};

/** What a claim has before a sample of the row changes it: the field is there, with another value or none. */
export function givenFor(kind: ClaimKind, field: string, { given = {} }: Sample): JsonObject {
  const [part = ''] = field.split(/[.[]/, 1);
  if (part === 'infrastructure') {
    const endpoint = /network|subnets|Targets/.test(field)
      ? { endpoint: { host: 'api.example.com' }, scheme: null }
      : {};
    return { infrastructure: { existing: given }, controlPlane: endpoint };
  }
  if (part === 'provisioning') return { provisioning: mergePatch(IN_PROVISIONING, given) };
  if (part === 'addons') return { addons: ADDONS_GIVEN };
  if (part === 'health')
    return { health: { unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '5m' }] } };
  if (field.startsWith('update.updaters') || field === 'update.id' || field === 'update.disruptive')
    return { update: { id: 'one', disruptive: false, updaters: [UPDATER] } };
  if (part === 'drain') return kind === 'Machine' ? { drain: IN_DRAIN } : { update: { drain: IN_DRAIN } };
  if (part === 'taints') return kind === 'Cluster' ? { controlPlane: { taints: [TAINT] } } : { taints: [TAINT] };
  return {};
}

const UPDATER: JsonObject = {
  name: 'resize',
  runsOn: 'Machine',
  disruptive: false,
  timeout: '10m',
  fields: ['spec.machine.class'],
};
const TAINT: JsonObject = { key: 'team', value: 'a', effect: 'NoSchedule' };
const IN_DRAIN: JsonObject = {
  rules: [
    {
      behaviour: 'Skip',
      podSelector: { matchExpressions: [EXPRESSION] },
      namespaceSelector: { matchExpressions: [EXPRESSION] },
    },
  ],
};
