/** What no machine of the control plane could accept is refused before there is a network. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import {
  acceptedAs,
  aClaim,
  anInput,
  call,
  condition,
  controlPlane,
  keys,
  observe,
  settled,
} from './cluster.fixture.ts';

const CATALOG = {
  classes: { 'standard-2': 'm6i.large', 'standard-4': 'm6i.xlarge' },
  images: {
    'ubuntu-24.04/v1.34.4': { 'eu-west-1': 'ami-0aaaaaaaaaaaaa342' },
    'ubuntu-24.04/v1.35.4': { 'eu-west-1': 'ami-0aaaaaaaaaaaaa352' },
    flatcar: { 'us-east-1': 'ami-0aaaaaaaaaaaaa399' },
  },
  defaultImage: 'ubuntu-24.04',
};
const input = anInput(CATALOG);

/** Files that no compression makes fit. */
const TOO_LARGE = ['/a', '/b'].map((path) => ({
  path,
  content: randomBytes(40_000).toString('base64'),
  encoding: 'base64',
}));

const refusedWith = async (given: Parameters<typeof call>[0]): Promise<string> =>
  call({ input, ...given }).then(
    () => 'accepted',
    (thrown: unknown) => SlipwayError.from(thrown).message.replace('cannot accept Cluster "team-a/prod": ', ''),
  );

const machine = (fields: JsonObject): JsonObject => controlPlane({ machine: { class: 'standard-2', ...fields } });

describe('a new Cluster', () => {
  test.for([
    {
      name: 'a class with a typo',
      spec: controlPlane({ machine: { class: 'standrad-2' } }),
      line: 'spec.controlPlane.machine.class: "standrad-2" is not accepted; accepted: standard-2, standard-4, or an instance type of AWS such as m6i.xlarge; did you mean "standard-2"?',
    },
    {
      name: 'an instance type with a typo',
      spec: controlPlane({ machine: { instanceType: 'm6i.xlagre' } }),
      line: 'spec.controlPlane.machine.instanceType: "m6i.xlagre" is not accepted; accepted: an instance type of AWS such as m6i.xlarge',
    },
    {
      name: 'an image that nobody maps',
      spec: machine({ image: 'ubuntu-24.40' }),
      line: 'spec.controlPlane.machine.image: "ubuntu-24.40" is not accepted; accepted: ubuntu-24.04, which the Composition maps in eu-west-1, or an AMI id such as ami-0123456789abcdef0; did you mean "ubuntu-24.04"?',
    },
    {
      name: 'an image that is not in its region',
      spec: machine({ image: 'flatcar' }),
      line: 'spec.controlPlane.machine.image: "flatcar" is not accepted; accepted: ubuntu-24.04, which the Composition maps in eu-west-1, or an AMI id such as ami-0123456789abcdef0',
    },
    {
      name: 'a size that no image boots on',
      spec: machine({ class: 't4g.large' }),
      line: 'spec.controlPlane.machine.image: "ubuntu-24.04" is not accepted; accepted: an AMI id such as ami-0123456789abcdef0; the Composition maps no image in eu-west-1 for arm64, which t4g.large has',
    },
    {
      name: 'a region without an image',
      spec: { region: 'us-east-1' },
      line: 'spec.region: "us-east-1" is not accepted; accepted: eu-west, which have an image ubuntu-24.04 for v1.35.4; the Composition maps none in us-east-1',
    },
    {
      name: 'a region that is none',
      spec: { region: 'eu-wset' },
      line: 'spec.region: "eu-wset" is not accepted; accepted: eu-west, or a region of AWS such as eu-west-1; did you mean "eu-west"?',
    },
    {
      name: 'a version without an image',
      spec: { version: 'v1.35.9' },
      line: 'spec.version: "v1.35.9" is not accepted; accepted: v1.34.4, v1.35.4, which have an image ubuntu-24.04 in eu-west-1',
    },
    {
      name: 'a version that the bootstrapper does not know',
      spec: { version: 'v1.99.0', bootstrap: { provider: 'talos' }, provisioning: { format: 'talos' } },
      line: 'spec.version: "v1.99.0" is not accepted; accepted: v1.31 to v1.37 with talos',
    },
    ...['bottlerocket', 'nodeadm'].map((provider) => ({
      name: `${provider}, which only joins workers`,
      spec: { bootstrap: { provider }, provisioning: { format: provider } },
      line: `spec.bootstrap.provider: "${provider}" is not accepted; accepted: canonical-kubernetes, k0s, k3s, kubeadm, microk8s, rke2, talos; others need a Composition whose cloud runs the control plane`,
    })),
    {
      name: 'an impossible pair',
      spec: { bootstrap: { provider: 'talos' } },
      line: 'spec.provisioning.format: "cloud-init" cannot start talos; accepted: talos',
    },
    {
      name: 'a file that its bootstrapper writes',
      spec: { provisioning: { files: [{ path: '/etc/kubernetes/pki/ca.key', content: 'a' }] } },
      line: 'spec.provisioning.files[0].path: "/etc/kubernetes/pki/ca.key" is not accepted; accepted: another path, since kubeadm writes this file',
    },
    {
      name: 'a format that nobody writes',
      spec: { provisioning: { format: 'clod-init' } },
      line: 'spec.provisioning.format: "clod-init" is not accepted; accepted: bottlerocket, cloud-init, cloudbase-init, ignition, ignition-2.3, nodeadm, talos; did you mean "cloud-init"?',
    },
    {
      name: 'a field that its format cannot express',
      spec: { provisioning: { format: 'ignition', packages: ['htop'] } },
      line: 'spec.provisioning.packages: ignition cannot express it; accepted: an image that has them, or files and commands.pre',
    },
    ...['audit-policy.yaml', 'authentication.yaml', 'pki/encryption.yaml'].map((file) => ({
      name: `a file that kubeadm makes of its configuration: ${file}`,
      spec: { provisioning: { files: [{ path: `/etc/kubernetes/${file}`, content: 'a' }] } },
      line: `spec.provisioning.files[0].path: "/etc/kubernetes/${file}" is not accepted; accepted: another path, since kubeadm writes this file`,
    })),
    {
      name: 'a URL among the names of its API',
      spec: { bootstrap: { provider: 'kubeadm', config: { certSANs: ['https://api.example.com'] } } },
      line: 'spec.bootstrap.config.certSANs[0]: "https://api.example.com" is not a host; accepted: a DNS name in lower case, a wildcard such as *.example.com or an IP address, without scheme and port; did you mean "api.example.com"?',
    },
    {
      name: 'a unit without a section',
      spec: { provisioning: { units: [{ name: 'a.service', contents: 'ExecStart=/bin/true' }] } },
      line: 'spec.provisioning.units[0].contents: its value is not a unit; accepted: text with a section such as [Service]',
    },
    {
      name: 'a user twice',
      spec: { provisioning: { users: [{ name: 'core' }, { name: 'core' }] } },
      line: 'spec.provisioning.users[1].name: "core" is not accepted; accepted: each name once',
    },
  ])('$name: nothing is created', async ({ spec, line }) => {
    expect(await refusedWith({ claim: aClaim(spec) })).toBe(line);
  });

  test.for([
    { name: 'an instance type in place of a class', spec: controlPlane({ machine: { class: 'm7i.large' } }) },
    { name: 'the id of an image', spec: { region: 'us-east-1', ...machine({ image: 'ami-0123456789abcdef0' }) } },
    { name: 'an image without a version', spec: { region: 'us-east-1', ...machine({ image: 'flatcar' }) } },
  ])('is accepted with $name', async ({ spec }) => {
    expect(await refusedWith({ claim: aClaim(spec) })).toBe('accepted');
  });

  it.for([
    { file: 'audit-policy.yaml', config: { apiServer: { extraArgs: { 'audit-policy-file': '/etc/kubernetes/a' } } } },
    { file: 'authentication.yaml', config: { apiServer: { extraArgs: { 'anonymous-auth': 'false' } } } },
    { file: 'pki/encryption.yaml', config: { encryptSecrets: false } },
  ])('may have its own $file where its configuration says so', async ({ file, config }) => {
    const files = [{ path: `/etc/kubernetes/${file}`, content: 'a' }];
    const claim = aClaim({ bootstrap: { provider: 'kubeadm', config }, provisioning: { files } });
    expect(await refusedWith({ claim, input })).toBe('accepted');
  });

  it('is judged only by its network when its Composition, of an earlier release, has no catalog', async () => {
    const claim = aClaim(controlPlane({ machine: { class: 'standrad-2', image: 'x' } }));
    expect(await refusedWith({ claim, input: anInput() })).toBe('accepted');
  });

  it('has no more first-boot data than any machine of its control plane could get', async () => {
    expect(await refusedWith({ claim: aClaim({ provisioning: { files: TOO_LARGE } }) })).toMatch(
      /^spec\.provisioning: first-boot data has at least 8[0-9]{4} bytes gzipped, and Secrets Manager accepts 65536: remove at least 1[0-9]{4} bytes, /,
    );
  });

  it('has no more than a secret of its cloud takes, where the platform says that data is in its store', async () => {
    const files = TOO_LARGE;
    const claim = aClaim({ region: 'europe-west1', provisioning: { files } });
    const gcp = (fields: JsonObject) => anInput({ cloud: 'gcp', ...fields });
    expect(await refusedWith({ claim, input: gcp({ allowInClear: [] }) })).toMatch(
      /^spec\.provisioning: first-boot data has at least 8[0-9]{4} bytes gzipped, and Secret Manager accepts 65536: /,
    );
    expect(await refusedWith({ claim, input: gcp({}) }), 'metadata has room for it').not.toMatch(
      /^spec\.provisioning:/,
    );
  });

  it.for([
    { bootstrapper: 'talos', format: 'talos', accepted: '' },
    { bootstrapper: 'kubeadm', format: 'ignition-2.3', accepted: 'cloud-init, or ignition, or ' },
  ])('is refused with $format, whose join secrets no secret of its cloud delivers', async (row) => {
    const { format, accepted } = row;
    const claim = aClaim({ bootstrap: { provider: row.bootstrapper }, provisioning: { format } });
    expect(await refusedWith({ claim, input: anInput({ allowInClear: [] }) })).toBe(
      `spec.provisioning.format: no secret of the cloud can deliver "${format}", and everyone who may describe a machine could read its join secrets; accepted: ${accepted}${format} in allowInClear of ClusterInput and NodePoolInput, and in aws.allowInClear of MachineInput`,
    );
    expect(await refusedWith({ claim, input: anInput({ allowInClear: [format] }) })).toBe('accepted');
    expect(await refusedWith({ claim, input: anInput() }), 'a Composition of an earlier release').toBe('accepted');
  });

  it('may have a format of another provisioning step that the platform lists', async () => {
    const claim = aClaim({ provisioning: { format: 'butane' } });
    expect(await refusedWith({ claim, input: anInput({ otherFormats: ['butane'] }) })).toBe('accepted');
  });
});

describe('a Cluster that exists', async () => {
  const { claim, reply } = await settled(aClaim(), input);
  const observed = Object.fromEntries([...reply.resources].map(([key, { resource }]) => [key, resource]));
  const edited = (spec: JsonObject): KubeObject => ({ ...aClaim(spec), status: claim.status ?? {} });

  it('refuses an edit to what no machine could accept', async () => {
    expect(await refusedWith({ claim: edited(controlPlane({ machine: { class: 'standrad-2' } })), observed })).toMatch(
      /^spec.controlPlane.machine.class: "standrad-2" is not accepted/,
    );
    expect(await refusedWith({ claim: edited({ version: 'v1.35.9' }), observed })).toMatch(/^spec.version: "v1.35.9"/);
  });

  it('refuses a version that lacks a flag of its configuration, and keeps the version and the flag that it has', async () => {
    const spec = (version: string): JsonObject => ({
      ...machine({ image: 'ami-0123456789abcdef0' }),
      version,
      bootstrap: { provider: 'kubeadm', config: { apiServer: { extraArgs: { 'cloud-provider': 'external' } } } },
    });
    const { claim, reply } = await settled(aClaim(spec('v1.32.9')), input);
    const observed = Object.fromEntries([...reply.resources].map(([key, { resource }]) => [key, resource]));
    const at = (version: string): KubeObject => ({ ...aClaim(spec(version)), status: claim.status ?? {} });
    expect(await refusedWith({ claim: at('v1.32.9'), observed })).toBe('accepted');
    expect(await refusedWith({ claim: at('v1.33.5'), observed })).toBe(
      'spec.bootstrap.config.apiServer.extraArgs.cloud-provider: kube-apiserver of v1.33.5 does not start with the flag cloud-provider, which v1.33 removed; accepted: nothing',
    );
    const made = observed['control-plane']!;
    const withIt = { ...made, spec: { ...made.spec, version: 'v1.33.5' } };
    const there = { ...observed, 'control-plane': withIt };
    expect(await refusedWith({ claim: at('v1.33.5'), observed: there })).toBe('accepted');
  });

  it('keeps an endpoint, a domain and blocks that an earlier release accepted', async () => {
    const endpoint = { host: 'api.example.com', port: 6443 };
    const { status } = await call({ claim: aClaim(controlPlane({ endpoint })), input });
    const earlier = JSON.parse(JSON.stringify(status).replaceAll('api.', 'api_1.')) as JsonObject;
    const pods = { network: { pods: '169.254.0.0/16' } };
    expect(await refusedWith({ claim: aClaim({ ...controlPlane({ endpoint }), ...pods }, status) })).toBe('accepted');
    const host = 'api_1.example.com';
    const spec = { ...controlPlane({ endpoint: { ...endpoint, host } }), network: { dnsDomain: 'cluster..local' } };
    expect(await refusedWith({ claim: aClaim(spec) })).toMatch(
      /^spec.controlPlane.endpoint.host: "api_1.example.com" /,
    );
    expect(await refusedWith({ claim: aClaim(spec, earlier) })).toBe('accepted');
  });

  it('keeps its domain when its status was lost', async () => {
    const ofEarlier = aClaim({ network: { dnsDomain: 'cluster..local' } });
    expect(await refusedWith({ claim: ofEarlier })).toMatch(/^spec.network.dnsDomain: "cluster..local" /);
    expect(await refusedWith({ claim: ofEarlier, observed })).toBe('accepted');
  });

  it('is edited as before when the platform withdraws what it has', async () => {
    const withdrawn = anInput({ ...CATALOG, classes: { large: 'm6i.large' }, images: { other: { x: 'ami-1' } } });
    const next = await call({ claim: edited({ paused: true }), input: withdrawn, observed });
    expect(keys(next).toSorted()).toEqual(Object.keys(observed).toSorted());
  });
});

describe('a Cluster between its infrastructure and its control plane', async () => {
  const { claim, reply } = await settled(aClaim(), input);
  const infrastructure = Object.fromEntries(Object.entries(observe(reply)).filter(([key]) => key !== 'control-plane'));

  it.for([
    {
      name: 'its image',
      given: { images: { other: { x: 'ami-1' } } },
      says: /^no control plane is created: spec\.\S+: /,
    },
    {
      name: 'its class',
      given: { classes: { large: 'm6i.large' } },
      says: /^no control plane .*machine\.class: "standard-2" /,
    },
  ])('keeps its infrastructure when the platform withdraws $name, and says why it waits', async ({ given, says }) => {
    const withdrawn = anInput({ ...CATALOG, ...given });
    const next = await call({ claim, input: withdrawn, observed: infrastructure });
    expect(keys(next).toSorted()).toEqual(Object.keys(infrastructure).toSorted());
    expect(condition(next, 'InfrastructureReady')?.message).toMatch(says);
    const again = await call({ claim, input, observed: infrastructure });
    expect(keys(again)).toContain('control-plane');
  });

  const ofMachines = { kind: 'Instance', patch: { spec: { forProvider: { monitoring: true } } } };
  const ofNetwork = { kind: 'LBTargetGroup', patch: { spec: { forProvider: { deregistrationDelay: '30' } } } };
  const overridden = (...overrides: JsonObject[]) => ({
    ...claim,
    spec: { ...claim.spec, infrastructure: { overrides } },
  });
  const allows = (...kinds: string[]) =>
    anInput({ ...CATALOG, overrides: Object.fromEntries(kinds.map((kind) => [kind, ['spec.forProvider']])) });

  it('keeps its infrastructure when the platform withdraws an override of machines, and lays the others', async () => {
    const asks = overridden(ofMachines, ofNetwork);
    const observed = acceptedAs(asks, infrastructure);
    const next = await call({ claim: asks, input: allows('LBTargetGroup'), observed });
    expect(keys(next).toSorted()).toEqual(Object.keys(infrastructure).toSorted());
    expect(condition(next, 'InfrastructureReady')?.message).toMatch(
      /^no control plane is created: spec\.infrastructure\.overrides\[0\]\.patch\.spec\.forProvider\.monitoring: may not be overridden/,
    );
    const groups = [...next.resources.values()].filter(({ resource }) => resource.kind === 'LBTargetGroup');
    expect(groups.length).toBeGreaterThan(0);
    for (const { resource } of groups)
      expect(resource.spec).toMatchObject({ forProvider: { deregistrationDelay: '30' } });
    const again = await call({ claim: asks, input: allows('LBTargetGroup', 'Instance'), observed });
    expect(keys(again)).toContain('control-plane');
  });

  it('is refused another override of its infrastructure, with the index that the claim gives it', async () => {
    const asks = { claim: overridden(ofMachines, ofNetwork), input: allows(), observed: infrastructure };
    await expect(call(asks)).rejects.toThrow(/spec\.infrastructure\.overrides\[1\]\..*LBTargetGroup/);
  });

  it('gets a control plane in all zones if its list has none, which is refused of a new one', async () => {
    const spec = machine({ zones: [] });
    const old = { ...aClaim(spec), status: claim.status ?? {} };
    const next = await call({ claim: old, input, observed: infrastructure });
    expect(next.resources.get('control-plane')?.resource.spec).toHaveProperty('machine.class', 'standard-2');
    expect(next.resources.get('control-plane')?.resource.spec).not.toHaveProperty('machine.zones');
    expect(await refusedWith({ claim: aClaim(spec) })).toBe(
      'spec.controlPlane.machine.zones: an empty list is not accepted; accepted: at least one zone, or no such field, which means all zones',
    );
  });

  it('keeps its infrastructure with more first-boot data than an earlier release knew to be too much', async () => {
    const large = { ...aClaim({ provisioning: { files: TOO_LARGE } }), status: claim.status ?? {} };
    const next = await call({ claim: large, input, observed: acceptedAs(large, infrastructure) });
    expect(keys(next).toSorted()).toEqual(Object.keys(infrastructure).toSorted());
    expect(condition(next, 'InfrastructureReady')?.message).toMatch(
      /^no control plane is created: spec\.provisioning: first-boot data has at least /,
    );
  });
});

describe('an EnvironmentConfig of the platform', () => {
  const named = anInput({ ...CATALOG, environmentConfig: 'slipway-aws' });

  it('is looked for before anything is decided: everything stays as it is', async () => {
    const { reply } = await settled(aClaim(), input);
    const observed = Object.fromEntries([...reply.resources].map(([key, { resource }]) => [key, resource]));
    const first = await call({ claim: aClaim(), input: named, observed, required: {} });
    expect(keys(first).toSorted()).toEqual(Object.keys(observed).toSorted());
    expect(first.requirements.get('environment-config')).toEqual({
      apiVersion: 'apiextensions.crossplane.io/v1beta1',
      kind: 'EnvironmentConfig',
      matchName: 'slipway-aws',
    });
  });

  const config = (data: JsonObject): Readonly<Record<string, readonly KubeObject[]>> => ({
    'environment-config': [
      {
        apiVersion: 'apiextensions.crossplane.io/v1beta1',
        kind: 'EnvironmentConfig',
        metadata: { name: 'slipway-aws' },
        data,
      },
    ],
  });

  it('adds classes, images and regions, and replaces single ones', async () => {
    const claim = aClaim({
      region: 'moon',
      version: 'v1.35.7',
      ...controlPlane({ machine: { class: 'huge', image: 'ours' } }),
    });
    const required = config({
      regions: { moon: 'us-east-1' },
      classes: { huge: 'm7i.48xlarge' },
      images: { 'ours/v1.35.7': { 'us-east-1': 'ami-0aaaaaaaaaaaaa377' } },
    });
    expect(await refusedWith({ claim, input: named, required })).toBe('accepted');
    expect(await refusedWith({ claim: aClaim(), input: named, required })).toBe('accepted');
  });

  it('may be absent', async () => {
    expect(await refusedWith({ claim: aClaim(), input: named })).toBe('accepted');
  });

  it('with other content is refused in one line', async () => {
    const line = await refusedWith({ claim: aClaim(), input: named, required: config({ clases: {} }) });
    expect(line).toBe(
      'cannot accept EnvironmentConfig "slipway-aws": data.clases: unknown field; accepted: classes, defaultImage, images, regions, zones; did you mean "classes"?',
    );
  });
});

describe('a block of pods is as large as the blocks of its nodes need', () => {
  const flag = (name: string, size: string): JsonObject => ({
    bootstrap: { config: { controllerManager: { extraArgs: { [name]: size } } } },
  });

  test.for([
    ['/24 for each, by default', '10.244.0.0/24', {}, 'a block of /22 or larger'],
    ['what a flag says', '10.244.0.0/24', flag('node-cidr-mask-size', '26'), 'accepted'],
    ['what a flag of the family says', '10.244.0.0/24', flag('node-cidr-mask-size-ipv4', '27'), 'accepted'],
    ['a flag that does not fit', '10.244.0.0/24', flag('node-cidr-mask-size', '25'), 'a block of /23 or larger'],
  ] as const)('%s', async ([, pods, fields, line]) => {
    const spec = { ...fields, network: { pods }, ...controlPlane({ replicas: 3, machine: { class: 'standard-2' } }) };
    const said = await refusedWith({ claim: aClaim(spec) });
    expect(said).toContain(line);
  });

  it('counts the machines of the control plane', async () => {
    const spec = { network: { pods: '10.244.0.0/24' }, ...flag('node-cidr-mask-size', '26') };
    const large = { ...spec, ...controlPlane({ replicas: 5, machine: { class: 'standard-2' } }) };
    expect(await refusedWith({ claim: aClaim(large) })).toContain('each node gets a /26 of it');
  });
});

test('labels of a cloud are refused of the control plane, unless the cluster has no cloud controller manager', async () => {
  const labelled = controlPlane({
    labels: { 'topology.kubernetes.io/zone': 'rack-1' },
    machine: { class: 'standard-2' },
  });
  expect(await refusedWith({ claim: aClaim(labelled) })).toContain('"topology.kubernetes.io/zone" is not accepted');
  const without = { ...labelled, bootstrap: { config: { cloudProvider: 'none' } } };
  expect(await refusedWith({ claim: aClaim(without) })).toBe('accepted');
  const none = { ...input, cloudProvider: 'none' };
  expect(await refusedWith({ claim: aClaim(labelled), input: none })).toBe('accepted');
  const external = { ...labelled, bootstrap: { config: { cloudProvider: 'external' } } };
  expect(await refusedWith({ claim: aClaim(external), input: none })).toContain('"topology.kubernetes.io/zone"');
});

test('a Cluster between its infrastructure and its control plane goes on when a release refuses a field of its machines', async () => {
  const azure = anInput({ cloud: 'azure' });
  const place = { region: 'westeurope', ...controlPlane({ machine: { instanceType: 'Standard_D2s_v5' } }) };
  const { claim, reply } = await settled(aClaim(place), azure);
  const infrastructure = Object.fromEntries(Object.entries(observe(reply)).filter(([key]) => key !== 'control-plane'));
  const disks = { dataDisks: [{ name: 'etcd', sizeGiB: 10, encrypted: false }] };
  const asks = aClaim({ ...place, ...controlPlane({ machine: { instanceType: 'Standard_D2s_v5', ...disks } }) });
  const edited = { ...claim, spec: asks.spec! };
  const next = await call({ claim: edited, input: azure, observed: acceptedAs(edited, infrastructure) });
  expect(keys(next).toSorted()).toEqual(Object.keys(infrastructure).toSorted());
  expect(condition(next, 'InfrastructureReady')?.message).toMatch(
    /no control plane is created: spec\.controlPlane\.machine\.dataDisks\[0\]\.encrypted: /,
  );
});
