/** What no machine of a pool could accept is refused at the pool, and changes nothing that exists. */
import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { aCluster, aNodePool, conditions, withStatus } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { composed, condition, grown, lookOnce, numbers, request, slots } from './pool.fixture.ts';

const CATALOG = {
  classes: { 'standard-4': 'm6i.xlarge', 'standard-8': 'm6i.2xlarge' },
  images: { 'ubuntu-24.04/v1.35.4': { 'eu-west-1': 'ami-0aaaaaaaaaaaaa352' } },
  defaultImage: 'ubuntu-24.04',
};
const anInput = (fields: JsonObject = CATALOG): JsonObject => ({
  apiVersion: 'fn.slipway.dev/v1alpha1',
  kind: 'NodePoolInput',
  cloud: 'aws',
  ...fields,
});

interface Given {
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly cluster?: KubeObject;
  readonly machines?: readonly KubeObject[];
  readonly input?: JsonObject;
}

const look = ({ spec = {}, status = {}, cluster = aCluster(), machines = [], input = anInput() }: Given) => {
  const pool = withStatus(aNodePool({ spec: { replicas: 2, ...spec } }), status);
  return replyOf(run, request({ pool, cluster, machines, input }));
};

const refusedWith = (given: Given): Promise<string> =>
  look(given).then(
    () => 'accepted',
    (thrown: unknown) => SlipwayError.from(thrown).message.replace('cannot accept NodePool "team-a/general": ', ''),
  );

/** A pool of Windows beside the settings that its Cluster has for machines with Linux. */
const WINDOWS: JsonObject = { machine: { class: 'standard-4', image: 'ami-0123456789abcdef0', os: 'windows' } };
const onWindows = (provisioning: JsonObject = {}): JsonObject => ({
  ...WINDOWS,
  provisioning: { format: 'cloudbase-init', ...provisioning },
});
const ADMIN = { name: 'ops', sudo: 'ALL=(ALL) NOPASSWD:ALL' };

/** Bytes that no compression makes fewer. */
function aFile(path: string, length: number): JsonObject {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, n) =>
    createHash('sha256').update(`${path} ${n}`).digest(),
  );
  return { path, content: Buffer.concat(blocks).subarray(0, length).toString('base64'), encoding: 'base64' };
}

const BAD: readonly {
  readonly name: string;
  readonly spec?: JsonObject;
  readonly cluster?: JsonObject;
  readonly input?: JsonObject;
  readonly line: string;
}[] = [
  {
    name: 'a class that nobody maps',
    spec: { machine: { class: 'standrad-4' } },
    line: 'spec.machine.class: "standrad-4" is not accepted; accepted: standard-4, standard-8, or an instance type of AWS such as m6i.xlarge; did you mean "standard-4"?',
  },
  {
    name: 'a format whose join secrets no secret of its cloud delivers',
    spec: onWindows(),
    input: anInput({ ...CATALOG, allowInClear: [] }),
    line: 'spec.provisioning.format: no secret of the cloud can deliver "cloudbase-init", and everyone who may describe a machine could read its join secrets; accepted: cloudbase-init in allowInClear of ClusterInput and NodePoolInput, and in aws.allowInClear of MachineInput',
  },
  {
    name: 'values of Secrets in a format that no secret of its cloud delivers',
    spec: {
      provisioning: {
        format: 'nodeadm',
        files: [{ path: '/etc/app/token', contentFrom: { secret: { name: 'app', key: 'token' } } }],
      },
    },
    cluster: { bootstrap: { provider: 'nodeadm' } },
    input: anInput({ ...CATALOG, allowInClear: [] }),
    line: 'spec.provisioning.format: no secret of the cloud can deliver "nodeadm", and everyone who may describe a machine could read the values of its Secrets; accepted: nodeadm in allowInClear of ClusterInput and NodePoolInput, and in aws.allowInClear of MachineInput',
  },
  {
    name: 'an image that nobody maps',
    spec: { machine: { class: 'standard-4', image: 'debian' } },
    line: 'spec.machine.image: "debian" is not accepted; accepted: ubuntu-24.04, which the Composition maps in eu-west-1, or an AMI id such as ami-0123456789abcdef0',
  },
  {
    name: 'a size that its image does not boot on',
    spec: { machine: { instanceType: 'm7g.xlarge' } },
    line: 'spec.machine.image: "ubuntu-24.04" is not accepted; accepted: an AMI id such as ami-0123456789abcdef0; the Composition maps no image in eu-west-1 for arm64, which m7g.xlarge has',
  },
  {
    name: 'an image of another architecture than its size, beside one that fits',
    spec: { machine: { class: 'arm-4', image: 'ubuntu-24.04' } },
    input: anInput({
      ...CATALOG,
      classes: { 'arm-4': 'm7g.xlarge' },
      images: { ...CATALOG.images, 'acme/v1.35.4/arm64': { 'eu-west-1': 'ami-0aaaaaaaaaaaaa353' } },
    }),
    line: 'spec.machine.image: "ubuntu-24.04" is not accepted; accepted: acme, which the Composition maps in eu-west-1 for arm64, which m7g.xlarge has, or an AMI id such as ami-0123456789abcdef0',
  },
  {
    name: 'a version that has its image for another architecture only',
    spec: { machine: { instanceType: 'm7g.xlarge' } },
    input: anInput({
      ...CATALOG,
      images: { ...CATALOG.images, 'ubuntu-24.04/v1.34.4/arm64': { 'eu-west-1': 'ami-0aaaaaaaaaaaaa343' } },
    }),
    line: 'spec.machine.image: "ubuntu-24.04" is not accepted; accepted: ubuntu-24.04/v1.34.4, which the Composition maps in eu-west-1 for arm64, which m7g.xlarge has, or an AMI id such as ami-0123456789abcdef0',
  },
  {
    name: 'a version without an image',
    spec: { version: 'v1.35.1' },
    line: 'spec.version: "v1.35.1" is not accepted; accepted: v1.35.4, which have an image ubuntu-24.04 in eu-west-1',
  },
  {
    name: 'a patch that the kubeadm of its version does not know',
    spec: {
      version: 'v1.24.17',
      machine: { class: 'standard-4', image: 'ami-0123456789abcdef0' },
      bootstrap: { config: { patches: [{ target: 'kubeletconfiguration', patch: {} }] } },
    },
    line: 'spec.bootstrap.config.patches: kubeadm of v1.24.17 does not patch kubeletconfiguration; accepted: v1.25 and newer',
  },
  {
    name: 'a format that its bootstrapper cannot use',
    spec: { provisioning: { format: 'talos' } },
    line: 'spec.provisioning.format: "talos" cannot start kubeadm; accepted: cloud-init, ignition, ignition-2.3',
  },
  {
    name: 'a file that its bootstrapper writes',
    spec: { provisioning: { files: [{ path: '/etc//kubernetes/kubeadm.yaml', content: 'a' }] } },
    line: 'spec.provisioning.files[0].path: "/etc//kubernetes/kubeadm.yaml" is not accepted; accepted: another path, since kubeadm writes this file',
  },
  {
    name: 'a file that adds to one of its bootstrapper, which is written after it',
    spec: { provisioning: { files: [{ path: '/etc/kubernetes/kubeadm.yaml', content: 'a', append: true }] } },
    line: 'spec.provisioning.files[0].path: "/etc/kubernetes/kubeadm.yaml" is not accepted; accepted: another path, since kubeadm writes this file',
  },
  {
    name: 'a file that its format writes',
    spec: { provisioning: { files: [{ path: '/etc/slipway/bootstrap.sh', content: 'a' }] } },
    line: 'spec.provisioning.files[0].path: "/etc/slipway/bootstrap.sh" is not accepted; accepted: another path, since cloud-init writes this file',
  },
  ...[
    { path: '/etc/systemd/system/a.service', units: [{ name: 'a.service', contents: '[Service]\n' }] },
    { path: '/etc/sysctl.d/90-slipway.conf', sysctls: { 'vm.swappiness': '1' } },
    { path: '/etc/modules-load.d/90-slipway.conf', kernelModules: ['nf_conntrack'] },
    { path: '/etc/apt/apt.conf.d/90-slipway-proxy', proxy: { http: 'http://proxy.example.com:3128' } },
  ].map(({ path, ...settings }) => ({
    name: `a file that its format writes for ${Object.keys(settings).join()}`,
    spec: { provisioning: { files: [{ path, content: 'a' }], ...settings } },
    line: `spec.provisioning.files[0].path: "${path}" is not accepted; accepted: another path, since cloud-init writes this file`,
  })),
  {
    name: 'a format that its Cluster names and nobody writes',
    cluster: { provisioning: { format: 'clod-init' } },
    line: 'spec.provisioning.format: "clod-init" is not accepted; accepted: bottlerocket, cloud-init, cloudbase-init, ignition, ignition-2.3, nodeadm, talos; did you mean "cloud-init"?',
  },
  {
    name: 'users of its Cluster that its format cannot make',
    spec: onWindows({ users: [{ name: 'app' }] }),
    cluster: { provisioning: { users: [{ name: 'dev' }, ADMIN] } },
    line: 'spec.provisioning.users[1].sudo of Cluster "team-a/prod": cloudbase-init cannot express it; accepted: groups: [Administrators]',
  },
  {
    name: 'users that its format cannot make, after those of its Cluster',
    spec: onWindows({ users: [{ name: 'app' }, ADMIN] }),
    cluster: { provisioning: { users: [{ name: 'dev' }] } },
    line: 'spec.provisioning.users[1].sudo: cloudbase-init cannot express it; accepted: groups: [Administrators]',
  },
  {
    name: 'a mode of a file that its format cannot set',
    spec: onWindows({ files: [{ path: '/k/a', content: 'a', mode: '0640' }] }),
    line: 'spec.provisioning.files[0].mode: "0640" is not accepted; accepted: 0600, 0644, 0700, 0755; 0600 and 0700 are for Administrators only',
  },
  {
    name: 'a file of its Cluster in other case',
    spec: onWindows({ files: [{ path: '/K/A', content: 'a' }] }),
    cluster: { provisioning: { files: [{ path: '/k/a', content: 'a' }] } },
    line: 'spec.provisioning.files[0].path: "/K/A" is not accepted; accepted: a path that nothing else writes; append: true adds to the file',
  },
  {
    name: 'a whole field of its Cluster that its format does not know',
    spec: onWindows(),
    cluster: { provisioning: { packages: ['nfs-common'] } },
    line: 'spec.provisioning.packages of Cluster "team-a/prod": cloudbase-init cannot express it; accepted: an image that has them, or PowerShell in commands.pre',
  },
  {
    name: 'an option of its Cluster that its format cannot express',
    spec: { provisioning: { format: 'ignition' } },
    cluster: { provisioning: { mounts: [{ device: 'LABEL=a', path: '/data', options: ['defaults', '_netdev'] }] } },
    line: 'spec.provisioning.mounts[0].options[1] of Cluster "team-a/prod": ignition cannot express "_netdev"; accepted: options of mount(8), or units with a mount unit of your own',
  },
  {
    name: 'a file of its bootstrapper, after those of its Cluster',
    spec: { provisioning: { files: [{ path: '/etc/kubernetes/kubeadm.yaml', content: 'a' }] } },
    cluster: { provisioning: { files: [{ path: '/etc/motd', content: 'a' }] } },
    line: 'spec.provisioning.files[0].path: "/etc/kubernetes/kubeadm.yaml" is not accepted; accepted: another path, since kubeadm writes this file',
  },
  {
    name: 'a file of its Cluster that its bootstrapper writes',
    cluster: { provisioning: { files: [{ path: '/etc/kubernetes/kubeadm.yaml', content: 'a' }] } },
    line: 'spec.provisioning.files[0].path of Cluster "team-a/prod": "/etc/kubernetes/kubeadm.yaml" is not accepted; accepted: another path, since kubeadm writes this file',
  },
  {
    name: 'a file of mirrors, which its bootstrapper writes',
    spec: {
      provisioning: {
        registries: [{ host: 'docker.io', mirrors: ['https://mirror.example.com'] }],
        files: [{ path: '/etc/containerd/certs.d/docker.io/hosts.toml', content: 'a' }],
      },
    },
    line: 'spec.provisioning.files[0].path: "/etc/containerd/certs.d/docker.io/hosts.toml" is not accepted; accepted: another path, since kubeadm writes this file',
  },
  {
    name: 'a file of time servers, which its format writes',
    spec: {
      provisioning: {
        format: 'ignition',
        ntp: { servers: ['time.example.com'] },
        files: [{ path: '/etc/chrony.conf', content: 'a' }],
      },
    },
    line: 'spec.provisioning.files[0].path: "/etc/chrony.conf" is not accepted; accepted: another path, since ignition writes this file',
  },
  {
    name: 'a kernel parameter of its Cluster that is none',
    spec: { provisioning: { sysctls: { 'vm.swappiness': '1' } } },
    cluster: { provisioning: { sysctls: { 'vm.max_map_count': ' ' } } },
    line: 'spec.provisioning.sysctls["vm.max_map_count"] of Cluster "team-a/prod": " " is not accepted; accepted: a value that is not empty',
  },
  {
    name: 'a setting of its Cluster that its bootstrapper refuses',
    cluster: {
      bootstrap: { provider: 'kubeadm', config: { kubelet: { extraArgs: { 'node-labels': 'a=b' } } } },
    },
    line: 'spec.bootstrap.config.kubelet.extraArgs.node-labels of Cluster "team-a/prod": "a=b" is not accepted; accepted: spec.labels',
  },
];

const SIZED: readonly {
  readonly name: string;
  readonly spec?: JsonObject;
  readonly cluster?: JsonObject;
  readonly line: string;
}[] = [
  {
    name: 'files that no machine of its cloud could get',
    spec: { provisioning: { files: [aFile('/a', 40_000), aFile('/b', 40_000)] } },
    line: 'spec.provisioning: first-boot data has at least N bytes gzipped, and Secrets Manager accepts 65536: remove at least N bytes, for example put large files into the image, or fetch them in commands.pre',
  },
  {
    name: 'files of its Cluster that no machine of its cloud could get',
    cluster: { provisioning: { files: [aFile('/a', 40_000), aFile('/b', 40_000)] } },
    line: 'spec.provisioning of Cluster "team-a/prod": first-boot data has at least N bytes gzipped, and Secrets Manager accepts 65536: remove at least N bytes, for example put large files into the image, or fetch them in commands.pre',
  },
  {
    name: 'more files than any machine of its cloud could get, and a Cluster that has such, too',
    spec: { provisioning: { files: [aFile('/c', 40_000), aFile('/d', 40_000), aFile('/e', 9000)] } },
    cluster: { provisioning: { files: [aFile('/a', 40_000), aFile('/b', 40_000)] } },
    line: 'spec.provisioning: first-boot data has at least N bytes gzipped, and Secrets Manager accepts 65536: remove at least N bytes, for example put large files into the image, or fetch them in commands.pre',
  },
  {
    name: 'files that a format without a way through the secret store could not get',
    spec: onWindows({ files: [aFile('/a', 17_000)] }),
    line: 'spec.provisioning: first-boot data has at least N bytes gzipped, and EC2 accepts 16384: remove at least N bytes, for example put large files into the image, or fetch them in commands.pre',
  },
];

test.for(SIZED)('a new pool with $name is refused', async ({ spec = {}, cluster = {}, line }) => {
  const refused = await refusedWith({ spec, cluster: aCluster({ spec: cluster }) });
  // How many it is depends on the gzip of Node.
  expect(refused.replaceAll(/at least [0-9]+ bytes/g, 'at least N bytes')).toBe(line);
});

test('a time zone that is none is refused of a new pool, and one that exists goes on', async () => {
  const spec = { provisioning: { timezone: 'Europa/Zurich' } };
  expect(await refusedWith({ spec })).toBe(
    'spec.provisioning.timezone: "Europa/Zurich" is not a time zone; accepted: UTC, or an area and a place such as Europe/Zurich',
  );
  expect(await refusedWith({ spec, machines: await grown(2) })).toBe('accepted');
});

test('a pool of no replicas is new until it has a machine, and one that had some is not', async () => {
  const spec = { replicas: 0, provisioning: { timezone: 'Europa/Zurich' } };
  expect(await refusedWith({ spec, status: { nextSerial: 0, replicas: 0 } })).toMatch(/is not a time zone/);
  const good = { replicas: 0, provisioning: { timezone: 'Europe/Zurich' } };
  expect(await refusedWith({ spec: good, status: { nextSerial: 0, replicas: 0 } }), 'an edit frees it').toBe(
    'accepted',
  );
  expect(await refusedWith({ spec, status: { nextSerial: 3, replicas: 0 } }), 'it was scaled down').toBe('accepted');
});

test('files that could fit are accepted, and large ones of a pool that exists are judged at its machines', async () => {
  const files = [aFile('/a', 40_000), aFile('/b', 20_000)];
  expect(await refusedWith({ spec: { provisioning: { files } } })).toBe('accepted');
  const more = [...files, aFile('/c', 40_000)];
  expect(await refusedWith({ spec: { provisioning: { files: more } }, machines: await grown(2) })).toBe('accepted');
});

test.for(BAD)('a new pool with $name is refused', async ({ spec = {}, cluster = {}, input = anInput(), line }) => {
  expect(await refusedWith({ spec, cluster: aCluster({ spec: cluster }), input })).toBe(line);
});

const isOfCluster = ({ line }: (typeof BAD)[number]) => line.includes(' of Cluster "team-a/prod"');

test.for(BAD.filter((one) => isOfCluster(one)))(
  'a running pool gets no machine with $name, and goes on: nobody edited it',
  async ({ spec = {}, cluster = {}, input = anInput(), line }) => {
    const machines = await grown(2);
    const larger = { replicas: 3, ...spec };
    const reply = await look({ spec: larger, cluster: aCluster({ spec: cluster }), machines, input });
    expect(composed(reply)).toHaveLength(2);
    expect(condition(reply, 'ScalingUp')?.message).toContain(`no machine is created: ${line}`);
  },
);

test.for(BAD.filter((one) => !isOfCluster(one)))(
  'an edit of a running pool to $name is refused: nothing changes',
  async ({ spec = {}, cluster = {}, input = anInput(), line }) => {
    const machines = await grown(2);
    expect(await refusedWith({ spec, cluster: aCluster({ spec: cluster }), machines, input })).toBe(line);
  },
);

test('a pool with a size of another architecture takes the image that the platform has for it', async () => {
  const images = { ...CATALOG.images, 'ubuntu-24.04/v1.35.4/arm64': { 'eu-west-1': 'ami-0aaaaaaaaaaaaa353' } };
  const spec = { machine: { instanceType: 'm7g.xlarge' } };
  expect(await refusedWith({ spec, input: anInput({ ...CATALOG, images }) })).toBe('accepted');
});

test('a pool whose machines no image boots on any more keeps them, and creates no others', async () => {
  const machine = { instanceType: 'm7g.xlarge' };
  const { metadata, ...first } = (await grown(1))[0]!;
  const made = { ...first, metadata: metadata!, spec: { ...first.spec, machine: { ...asMade(first), ...machine } } };
  const reply = await look({ spec: { replicas: 2, machine }, machines: [made] });
  expect(composed(reply)).toHaveLength(1);
  expect(condition(reply, 'ScalingUp')?.message).toContain('no machine is created: spec.machine.image: "ubuntu-24.04"');
});

/** A machine without its class. */
function asMade({ spec }: Omit<KubeObject, 'metadata'>): JsonObject {
  const { class: _class, ...rest } = at(spec, 'machine') as JsonObject;
  return rest;
}

test('the class is judged before there is a Cluster, if the Composition names its cloud', async () => {
  const pool = aNodePool({ spec: { machine: { class: 'standrad-4' } } });
  const without = {
    ...request({ pool, input: anInput() }),
    required: new Map([
      ['cluster', []],
      ['machines', []],
    ]),
  };
  await expect(replyOf(run, without)).rejects.toThrow(/spec.machine.class: "standrad-4"/);
});

test.for([
  { name: 'its Composition, of an earlier release, has no catalog', input: anInput({}) },
  {
    name: 'it is on a cloud whose names are not known',
    input: anInput({ ...CATALOG, cloud: 'cumulus' }),
    cloud: 'cumulus',
  },
])('every class is taken as it is when $name', async ({ input, cloud = 'aws' }) => {
  const cluster = aCluster();
  const elsewhere = {
    ...cluster,
    status: { ...cluster.status, infrastructure: { ...(at(cluster.status, 'infrastructure') as JsonObject), cloud } },
  };
  expect(await refusedWith({ spec: { machine: { class: 'standrad-4' } }, cluster: elsewhere, input })).toBe('accepted');
});

describe('a pool whose image the platform has withdrawn', async () => {
  const machines = await grown(2);
  const input = anInput({ ...CATALOG, images: { 'ubuntu-24.04/v1.36.0': { 'eu-west-1': 'ami-0aaaaaaaaaaaaa399' } } });
  const why =
    'no machine is created: spec.version: "v1.35.4" is not accepted; accepted: v1.36.0, which have an image ubuntu-24.04 in eu-west-1';

  it('keeps its machines, and creates no others', async () => {
    const reply = await look({ spec: { replicas: 4 }, machines, input });
    expect(slots(reply)).toEqual(machines.map(({ metadata }) => metadata?.name));
    expect(condition(reply, 'ScalingUp')).toMatchObject({ status: 'False', reason: 'NoNewMachines' });
    expect(condition(reply, 'ScalingUp')?.message).toContain(why);
  });

  it('still gets labels, and is scaled down', async () => {
    const labelled = composed(await look({ spec: { labels: { team: 'a' } }, machines, input }));
    expect(labelled.map((machine) => at(machine.spec, 'labels'))).toEqual([{ team: 'a' }, { team: 'a' }]);
    expect(slots(await look({ spec: { replicas: 1 }, machines, input }))).toHaveLength(1);
  });

  it('gets nothing that needs new machines', async () => {
    const edit = { provisioning: { files: [{ path: '/etc/x', content: 'y' }] } };
    for (const machine of composed(await look({ spec: edit, machines, input })))
      expect(at(machine.spec, 'provisioning', 'files') ?? []).toEqual([]);
  });
});

test('a Machine that is refused is not replaced, however long it has been: the next would be refused as well', async () => {
  const refused = (await grown(1)).map(({ status: _status, ...machine }) =>
    withStatus(
      machine,
      conditions(false, [{ type: 'ClaimAccepted', status: 'False', reason: 'InvalidClaim', message: 'no' }]),
    ),
  );
  const late = await lookOnce(refused, 24 * 3600);
  expect(numbers(late)).toBe('0');
  expect(condition(late, 'Remediating')).toMatchObject({ status: 'False' });
});

describe('a pool with a label that an earlier release accepted', async () => {
  const kept = { 'node.kubernetes.io/instance-type': 'large' };
  const machines = (await grown(2)).map((machine) => ({ ...machine, spec: { ...machine.spec, labels: kept } }));

  it('gets others beside it', async () => {
    const labels = { ...kept, team: 'a' };
    const labelled = composed(await look({ spec: { labels }, machines }));
    expect(labelled.map((machine) => at(machine.spec, 'labels'))).toEqual([labels, labels]);
  });

  it('gets no other one like it', async () => {
    const labels = { ...kept, 'topology.kubernetes.io/zone': 'a' };
    expect(await refusedWith({ spec: { labels }, machines })).toContain('topology.kubernetes.io/zone');
  });
});

describe('a pool with a taint that an earlier release accepted', async () => {
  const kept = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
  const machines = (await grown(2)).map((machine) => ({ ...machine, spec: { ...machine.spec, taints: kept } }));

  it('gets others beside it', async () => {
    const taints = [...kept, { key: 'team', value: 'a', effect: 'NoSchedule' }];
    const tainted = composed(await look({ spec: { taints }, machines }));
    expect(tainted.map((machine) => at(machine.spec, 'taints'))).toEqual([taints, taints]);
  });

  it('gets no other one like it', async () => {
    const taints = [...kept, { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }];
    expect(await refusedWith({ spec: { taints }, machines })).toContain('spec.taints[1].key: "node.kubernetes.io/unr');
  });
});

describe('a pool whose machines have settings that their bootstrapper refuses now', async () => {
  const bootstrap = { config: { kubelet: { extraArgs: { 'node-labels': 'a=b' } } } };
  const machines = (await grown(2)).map((machine) => ({
    ...machine,
    spec: { ...machine.spec, bootstrap: { provider: 'kubeadm', action: 'Join', ...bootstrap } },
  }));

  it('keeps them, creates no other one, and says why', async () => {
    const reply = await look({ spec: { replicas: 3, bootstrap }, machines });
    expect(composed(reply)).toHaveLength(2);
    expect(condition(reply, 'ScalingUp')?.message).toContain(
      'no machine is created: spec.bootstrap.config.kubelet.extraArgs.node-labels: "a=b" is not accepted',
    );
  });

  it('gets no others of them', async () => {
    const other = { config: { kubelet: { extraArgs: { 'node-labels': 'a=c' } } } };
    expect(await refusedWith({ spec: { bootstrap: other }, machines })).toContain('extraArgs.node-labels: "a=c"');
  });
});

describe('labels that a cloud controller manager sets', () => {
  const labels = { 'topology.kubernetes.io/zone': 'rack-1', 'node.kubernetes.io/instance-type': 'large' };
  const cluster = aCluster({ spec: { bootstrap: { provider: 'kubeadm', config: { cloudProvider: 'none' } } } });

  it('are accepted of a cluster that has none', async () => {
    expect(await refusedWith({ spec: { labels }, cluster })).toBe('accepted');
  });

  it('are accepted where the Composition has none, unless the claim has one', async () => {
    const input = { ...anInput(), cloudProvider: 'none' };
    expect(await refusedWith({ spec: { labels }, input })).toBe('accepted');
    const own = aCluster({ spec: { bootstrap: { provider: 'kubeadm', config: { cloudProvider: 'external' } } } });
    expect(await refusedWith({ spec: { labels }, input, cluster: own })).toContain('"topology.kubernetes.io/zone"');
  });

  it('are refused of others, and those of the kubelet everywhere', async () => {
    expect(await refusedWith({ spec: { labels } })).toContain('spec.labels: the key "topology.kubernetes.io/zone"');
    const ofKubelet = { 'kubernetes.io/hostname': 'a' };
    expect(await refusedWith({ spec: { labels: ofKubelet }, cluster })).toContain('"kubernetes.io/hostname"');
  });
});

describe('a label that makes a Node a control plane', () => {
  const labels = { 'node-role.kubernetes.io/control-plane': '' };

  test.for(['control-plane', 'master'])('is refused of workers: %s', async (role) => {
    expect(await refusedWith({ spec: { labels: { [`node-role.kubernetes.io/${role}`]: '' } } })).toContain(
      `spec.labels: the key "node-role.kubernetes.io/${role}" is not accepted; accepted: another label`,
    );
  });

  it('stays on machines that have it, and is one of many roles otherwise', async () => {
    const machines = (await grown(2)).map((machine) => ({ ...machine, spec: { ...machine.spec, labels } }));
    expect(await refusedWith({ spec: { labels }, machines })).toBe('accepted');
    expect(await refusedWith({ spec: { labels: { 'node-role.kubernetes.io/worker': '' } } })).toBe('accepted');
  });
});
