/** What is noted of claims that are accepted, and whose machines would still not come up as their author thinks. */
import { describe, expect, it, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { compositionsWith } from '../../../test/support/platform.ts';
import { judge } from '../../validate/findings.ts';
import { cautionsOf } from './cautions.ts';
import { EMPTY_WORLD as world } from '../empty-world.fixture.ts';
import { planWithNotes } from '../plan-claims.ts';
import { withObjects } from '../world.ts';

const claim = (kind: string, name: string, flavour: string, spec: JsonObject): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name, namespace: 'team-x' },
  spec: { crossplane: { compositionSelector: { matchLabels: { 'slipway.dev/flavor': flavour } } }, ...spec },
});
const ELSEWHERE = { endpoint: { host: 'api.example.com', port: 6443 } };
const cluster = (flavour: string, machine: JsonObject, format: string, controlPlane?: JsonObject): KubeObject =>
  claim('Cluster', 'my', flavour, {
    version: 'v1.35.4',
    region: 'eu-west',
    controlPlane: controlPlane ?? {
      replicas: 3,
      machine: { class: 'standard-2', ...machine },
      // The load balancer of GCP does not reach Talos.
      ...(flavour === 'gcp' && format === 'talos' ? ELSEWHERE : {}),
      allowedCIDRs: ['10.0.0.0/8'],
    },
    bootstrap: { provider: format === 'talos' ? 'talos' : 'kubeadm' },
    provisioning: { format },
  });
const pool = (flavour: string, machine: JsonObject, provisioning: JsonObject = {}): KubeObject =>
  claim('NodePool', 'workers', flavour, {
    clusterRef: { name: 'my' },
    replicas: 2,
    machine: { class: 'standard-4', ...machine },
    provisioning,
  });
/** A platform that lets Talos start from user data. */
const ALLOWED = compositionsWith({ allowInClear: ['talos', 'cloudbase-init'] });
const noted = (...claims: readonly KubeObject[]) => notedIn({ ...world, compositions: ALLOWED }, claims);
const notedIn = async (known: typeof world, claims: readonly KubeObject[]): Promise<readonly string[]> => {
  const { refused, notes } = await judge(known, claims);
  expect(refused).toEqual([]);
  return notes;
};

describe('a format that boots only a system of its own', () => {
  const takes = (who: string, format: string, system: string): string =>
    `machines of ${who} take the default image "ubuntu-24.04"; format ${format} needs one of ${system}`;

  it.for(['aws', 'azure', 'gcp'])(
    'is noted of the default image on %s, of a Cluster and of its pool',
    async (cloud) => {
      expect(await noted(cluster(cloud, {}, 'talos'), pool(cloud, {}))).toEqual([
        takes('Cluster "team-x/my"', 'talos', 'Talos Linux'),
        takes('NodePool "team-x/workers"', 'talos', 'Talos Linux'),
      ]);
    },
  );

  it('is noted of a pool that says it itself', async () => {
    const claims = [cluster('aws', {}, 'cloud-init'), pool('aws', {}, { format: 'ignition' })];
    expect(await noted(...claims)).toEqual([
      takes('NodePool "team-x/workers"', 'ignition', 'Flatcar or Fedora CoreOS'),
    ]);
  });

  it('is noted of a pool of Windows beside a Cluster of Linux', async () => {
    const windows = pool('aws', { os: 'windows' }, { format: 'cloudbase-init' });
    expect(await noted(cluster('aws', {}, 'cloud-init'), windows)).toEqual([
      takes('NodePool "team-x/workers"', 'cloudbase-init', 'Windows'),
    ]);
  });

  it('is not noted of a claim that names its image', async () => {
    const image = { image: 'ami-0123456789abcdef0' };
    expect(await noted(cluster('aws', image, 'talos'), pool('aws', image))).toEqual([]);
  });

  it('is not noted where the name of the default says that it is one, also in an EnvironmentConfig', () => {
    const config: KubeObject = {
      apiVersion: 'apiextensions.crossplane.io/v1beta1',
      kind: 'EnvironmentConfig',
      metadata: { name: 'ours' },
      data: { defaultImage: 'talos-1.11' },
    };
    const compositions = world.compositions.map(
      (one) =>
        JSON.parse(
          JSON.stringify(one).replaceAll('"defaultImage":', '"environmentConfig":"ours","defaultImage":'),
        ) as KubeObject,
    );
    const claims = [cluster('aws', {}, 'talos'), pool('aws', {})];
    expect(cautionsOf({ ...world, compositions }, claims)).toHaveLength(2);
    expect(cautionsOf({ ...world, compositions, objects: [config] }, claims)).toEqual([]);
  });

  it('is not said again of what exists', () => {
    const claims = [cluster('aws', {}, 'talos'), pool('aws', {})];
    expect(cautionsOf(withObjects(world, claims), claims)).toEqual([]);
  });
});

describe('a device that is none of the data disks', () => {
  const dataDisks = [
    { name: 'data', sizeGiB: 200 },
    { name: 'logs', sizeGiB: 10 },
  ];
  const on = (flavour: string, device: string) =>
    noted(
      cluster(flavour, {}, 'cloud-init'),
      pool(
        flavour,
        { dataDisks },
        { filesystems: [{ device, format: 'ext4' }], mounts: [{ device, path: '/var/lib/data' }] },
      ),
    );
  const says = (device: string, made: string): string =>
    `NodePool "team-x/workers" formats or mounts ${device}; ${made}`;
  const MADE = {
    aws: 'data disks on AWS are /dev/nvme1n1 and so on, in no certain order; only instance types without Nitro, and images with links for it, have /dev/sdf',
    azure: 'data disks on Azure are /dev/disk/azure/scsi1/lun0, /dev/disk/azure/scsi1/lun1',
    gcp: 'data disks on GCP are /dev/disk/by-id/google-data, /dev/disk/by-id/google-logs',
  } as const;

  it.for(['aws', 'azure', 'gcp'] as const)('is noted on %s, once', async (cloud) => {
    expect(await on(cloud, '/dev/sdf')).toEqual([says('/dev/sdf', MADE[cloud])]);
  });

  it.for([
    ['aws', '/dev/nvme2n1'],
    ['azure', '/dev/disk/azure/scsi1/lun1'],
    ['azure', '/dev/disk/azure/scsi1/lun0-part1'],
    ['gcp', '/dev/disk/by-id/google-data'],
    ['gcp', '/dev/disk/by-id/google-logs-part1'],
    ['gcp', '/dev/mapper/data'],
    ['azure', '/dev/disk/by-label/data'],
  ] as const)('is not noted of what it makes, nor of what only the host knows: %s, %s', async ([cloud, device]) => {
    expect(await on(cloud, device)).toEqual([]);
  });

  it('is noted of a Cluster whose pools have it from there, and of those with data disks alone', async () => {
    const provisioning = { format: 'cloud-init', mounts: [{ device: '/dev/sdb', path: '/data' }] };
    const shared = cluster('gcp', {}, 'cloud-init');
    const both = { ...shared, spec: { ...shared.spec, provisioning } };
    expect(await noted(both, pool('gcp', {}))).toEqual([]);
    expect(await noted(both, pool('gcp', { dataDisks }))).toEqual([says('/dev/sdb', MADE.gcp)]);
  });
});

test('a format that only the machine step does not allow in clear is noted, since its machines are refused', async () => {
  const half = { ...world, compositions: compositionsWith({ allowInClear: ['talos'] }, {}) };
  const own = { image: 'projects/acme/global/images/talos' };
  const note =
    'machines of Cluster "team-x/my" are refused: gcp.allowInClear of their MachineInput does not list talos, and those of Clusters and pools do';
  expect(await notedIn(half, [cluster('gcp', own, 'talos')])).toEqual([note]);
  expect(await noted(cluster('gcp', own, 'talos'))).toEqual([]);
  expect(await notedIn(half, [cluster('gcp', {}, 'cloud-init')])).toEqual([]);
});

test('Hosts in another namespace than the Cluster are noted, once', async () => {
  const host = (namespace?: string, size = 'standard-2'): KubeObject => ({
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'Host',
    metadata: { name: 'h', ...(namespace === undefined ? {} : { namespace }) },
    spec: { size, failureDomain: 'rack-1', addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] },
  });
  const endpoint = { host: 'api.my.corp', port: 6443 };
  const controlPlane = { replicas: 3, machine: { class: 'standard-2' }, endpoint };
  const claims = [cluster('existing', {}, 'cloud-init', controlPlane), pool('existing', {})];
  const note = 'machines of Cluster "team-x/my" take Hosts in its namespace: the files have 1 Host in namespace team-a';
  expect(await notedIn({ ...world, objects: [host('team-a')] }, claims)).toEqual([note]);
  const own = ['standard-2', 'standard-4'].map((size) => host('team-x', size));
  expect(await notedIn({ ...world, objects: [host('team-a'), ...own] }, claims)).toEqual([]);
  const { notes: bare } = await judge({ ...world, objects: [host()] }, claims);
  expect(bare).toEqual([note.replace('in namespace team-a', 'without metadata.namespace')]);
  expect(await notedIn(world, claims), 'those of the control plane may do').toEqual([]);
});

describe('a size that no Host has', () => {
  const host = (size: string, namespace = 'team-x'): KubeObject => ({
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'Host',
    metadata: { name: `h-${size}`, namespace },
    spec: { size, failureDomain: 'rack-1', addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] },
  });
  const endpoint = { host: 'api.my.corp', port: 6443 };
  const controlPlane = { replicas: 3, machine: { class: 'standard-2' }, endpoint };
  const claims = [cluster('existing', {}, 'cloud-init', controlPlane), pool('existing', {})];
  const notes = (hosts: readonly KubeObject[], known = world) => notedIn({ ...known, objects: hosts }, claims);

  it('is noted of each claim whose machines would wait', async () => {
    const says = (who: string, size: string): string =>
      `machines of ${who} take Hosts of size ${size}, which none of the Hosts known here in its namespace has: they are of size big, r640`;
    expect(await notes([host('r640'), host('standard-2', 'team-a'), host('big')])).toEqual([
      says('Cluster "team-x/my"', 'standard-2'),
      says('NodePool "team-x/workers"', 'standard-4'),
    ]);
    expect(await notes([host('r640'), host('big'), host('standard-2')])).toEqual([
      `machines of NodePool "team-x/workers" take Hosts of size standard-4, which none of the Hosts known here in its namespace has: they are of size big, r640, standard-2`,
    ]);
  });

  it('is not noted if a Host has it, by the names of the platform, too, and if no Host is known', async () => {
    expect(await notes([host('standard-2'), host('standard-4')])).toEqual([]);
    expect(await notes([])).toEqual([]);
    const text = JSON.stringify(world.compositions);
    const mapped = text.replaceAll('"classes":{}', '"classes":{"standard-2":"r640","standard-4":"r640"}');
    expect(await notes([host('r640')], { ...world, compositions: JSON.parse(mapped) as KubeObject[] })).toEqual([]);
  });
});

test('an endpoint of the Composition that no DNS has is noted, as it was never changed', async () => {
  const note =
    'Cluster "team-x/my": its endpoint my.team-x.clusters.example.com is a placeholder of the Composition, which no DNS has: name yours in spec.controlPlane.endpoint';
  const controlPlane = { replicas: 3, machine: { class: 'standard-2' } };
  const bare = cluster('existing', {}, 'cloud-init', controlPlane);
  expect(await noted(bare)).toEqual([note]);
  expect((await planWithNotes(world, [bare])).notes).toEqual([note]);
  const endpoint = { host: 'api.my.corp', port: 6443 };
  expect(await noted(cluster('existing', {}, 'cloud-init', { ...controlPlane, endpoint }))).toEqual([]);
});

describe('what Cluster API would replace, write or read', () => {
  const INSTEAD =
    'instead: ${SLIPWAY_INSTANCE_ID}, ${SLIPWAY_FAILURE_DOMAIN}, ${SLIPWAY_ADDRESS}, ${SLIPWAY_HOSTNAME}, ${SLIPWAY_ACTION} (docs/first-boot.md#values-of-the-machine)';
  const IMAGE = { image: 'ami-0123456789abcdef0' };

  it.for([
    { commands: { pre: ['sed -i s/a/b/ /run/kubeadm/kubeadm.yaml'] }, at: 'commands.pre[0]' },
    { commands: { pre: ['true', 'envsubst < /etc/kubeadm.yml > /etc/a'] }, at: 'commands.pre[1]' },
    { commands: { post: ['touch /run/cluster-api/done'] }, at: 'commands.post[0]' },
    { files: [{ path: '/etc/a', content: 'ip: {{ ds.meta_data.local_ipv4 }}' }], at: 'files[0].content' },
    { commands: { pre: ['echo ${COREOS_EC2_HOSTNAME}'] }, at: 'commands.pre[0]' },
    {
      units: [{ name: 'a.service', contents: '[Service]\nExecStart=cat /run/kubeadm/kubeadm.yaml' }],
      at: 'units[0].contents',
    },
  ])('is noted: $at', async ({ at, ...provisioning }) => {
    expect(await noted(cluster('aws', IMAGE, 'cloud-init'), pool('aws', IMAGE, provisioning))).toEqual([
      `NodePool "team-x/workers" has words or files of Cluster API that nothing replaces or writes here, in spec.provisioning.${at}; ${INSTEAD}`,
    ]);
  });

  it('is no fault where the claim writes the file, or a unit reads the variables of its image', async () => {
    const provisioning = {
      files: [{ path: '/etc/kubeadm.yml', content: 'a' }],
      commands: { pre: ['cp /etc/kubeadm.yml /etc/b'] },
      units: [
        {
          name: 'a.service',
          contents: '[Service]\nEnvironmentFile=/run/metadata/flatcar\nExecStart=a ${COREOS_EC2_HOSTNAME}',
        },
      ],
    };
    expect(await noted(cluster('aws', IMAGE, 'cloud-init'), pool('aws', IMAGE, provisioning))).toEqual([]);
  });

  it.for([
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size',
    'capacity.cluster-autoscaler.kubernetes.io/memory',
    'karpenter.sh/do-not-disrupt',
  ])('is noted of an autoscaler that does not read claims: %s', async (name) => {
    const made = pool('aws', IMAGE);
    for (const field of ['annotations', 'labels']) {
      const marked = { ...made, metadata: { ...made.metadata, [field]: { [name]: '2' } } };
      expect(await noted(cluster('aws', IMAGE, 'cloud-init'), marked)).toEqual([
        `NodePool "team-x/workers" has ${name}, which nothing reads: a pool keeps spec.replicas until somebody changes it, such as a HorizontalPodAutoscaler or KEDA by its scale subresource`,
      ]);
    }
  });
});
