/** From first-boot data to Nodes: which machines join, which do not, and what a WorkloadNode reports. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Engine } from '../engine.ts';
import { conditionText } from '../fake-functions.fixture.ts';
import { after, firstBootFailures, newCa, pass } from '../../test/support/booted-machines.ts';
import { certificateHash } from './joining/certificate-hash.ts';

const ENDPOINT = 'api.example.org:6443';
const TOKEN = 'abcdef.0123456789abcdef';

let ca = '';
let otherCa = '';

beforeAll(async () => {
  [ca, otherCa] = await Promise.all([newCa('kubernetes'), newCa('kubernetes')]);
});

const file = (path: string, content: string): JsonObject => ({
  path,
  encoding: 'b64',
  content: Buffer.from(content).toString('base64'),
});

function payload(files: readonly JsonObject[], head = '#cloud-config\n'): string {
  return gzipSync(head + stringify({ write_files: files, runcmd: ['kubeadm'] })).toString('base64');
}

function initData(): string {
  const documents = [
    { kind: 'InitConfiguration', bootstrapTokens: [{ token: TOKEN }], nodeRegistration: { name: 'cp-0' } },
    { kind: 'ClusterConfiguration', controlPlaneEndpoint: ENDPOINT, kubernetesVersion: 'v1.35.4' },
  ];
  return payload([
    file('/etc/kubernetes/pki/ca.crt', ca),
    file('/run/kubeadm/kubeadm.yaml', documents.map((document) => stringify(document)).join('---\n')),
  ]);
}

function joinData(name: string, parts: { readonly token?: string; readonly hash?: string } = {}): string {
  const document = {
    kind: 'JoinConfiguration',
    discovery: {
      bootstrapToken: {
        apiServerEndpoint: ENDPOINT,
        token: parts.token ?? TOKEN,
        caCertHashes: [parts.hash ?? certificateHash(ca)],
      },
    },
    nodeRegistration: { name, kubeletExtraArgs: [{ name: 'node-labels', value: 'a=b,c=d' }] },
  };
  return payload([file('/run/kubeadm/kubeadm.yaml', stringify(document))]);
}

function machine(name: string, userDataBase64: string): KubeObject {
  return {
    apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
    kind: 'Instance',
    metadata: { name, namespace: 'ns' },
    spec: {
      forProvider: { region: 'eu-west-1', ami: 'a', instanceType: 'm6i.large' },
      initProvider: { userDataBase64 },
    },
  };
}

function kubeconfig(certificate: string): KubeObject {
  const cluster = {
    server: `https://${ENDPOINT}`,
    'certificate-authority-data': Buffer.from(certificate).toString('base64'),
  };
  const text = stringify({ clusters: [{ name: 'c', cluster }] });
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kc', namespace: 'ns' }, stringData: { value: text } };
}

const CONFIG: KubeObject = {
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind: 'ProviderConfig',
  metadata: { name: 'c', namespace: 'ns' },
  spec: { credentials: { secretRef: { name: 'kc' } } },
};

const CONFIG_REF = { apiVersion: CONFIG.apiVersion, kind: CONFIG.kind, namespace: 'ns', name: 'c' };

/** A pod network, as an add-on: no Node is Ready without one. */
const NETWORK: readonly KubeObject[] = [
  {
    apiVersion: 'helm.m.crossplane.io/v1beta1',
    kind: 'ProviderConfig',
    metadata: { name: 'c', namespace: 'ns' },
    spec: { credentials: { source: 'Secret', secretRef: { name: 'kc', namespace: 'ns', key: 'value' } } },
  },
  {
    apiVersion: 'helm.m.crossplane.io/v1beta1',
    kind: 'Release',
    metadata: { name: 'network', namespace: 'ns' },
    spec: {
      forProvider: { chart: { name: 'cilium', version: '1.2.3' } },
      providerConfigRef: { kind: 'ProviderConfig', name: 'c' },
    },
  },
];

const workloadNode = (name: string): KubeObject => ({
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind: 'WorkloadNode',
  metadata: { name, namespace: 'ns' },
  spec: { providerConfigRef: { name: 'c' }, node: { name } },
});
const nodeRef = (name: string) => ({
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind: 'WorkloadNode',
  namespace: 'ns',
  name,
});
const machineRef = (name: string) => ({
  apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
  kind: 'Instance',
  namespace: 'ns',
  name,
});

const ready = (engine: Engine, name: string) => conditionText(engine.get(nodeRef(name)), 'Ready');

describe('a machine', () => {
  test('with an init payload starts a cluster and becomes a Node that is Ready', async () => {
    const parts = [machine('cp-0', initData()), kubeconfig(ca), CONFIG, workloadNode('cp-0')];
    const engine = await after(300, ...parts, ...NETWORK);
    const node = engine.get(nodeRef('cp-0'));
    expect(conditionText(node, 'Ready')).toBe('True Available');
    expect(conditionText(node, 'NodeHealthy')).toBe('True KubeletReady');
    expect(node?.status).toMatchObject({ nodeRef: { name: 'cp-0' }, nodeInfo: { kubeletVersion: 'v1.35.4' } });
    expect(engine.snapshot().counters).toMatchObject({ machinesBooted: 1, nodesJoined: 1 });
  });

  test('is a Node that is not Ready until an add-on brings a pod network, and joins before', async () => {
    const parts = [machine('cp-0', initData()), kubeconfig(ca), CONFIG, workloadNode('cp-0')];
    const engine = await after(300, ...parts);
    expect(ready(engine, 'cp-0')).toBe('False NodeNotReady – Node "cp-0" is not ready: it has no pod network');
    for (const object of NETWORK) engine.apply(object);
    await pass(engine, 60);
    expect(ready(engine, 'cp-0')).toBe('True Available');
    const release = engine.get({
      apiVersion: 'helm.m.crossplane.io/v1beta1',
      kind: 'Release',
      namespace: 'ns',
      name: 'network',
    });
    expect(release?.status).toMatchObject({ atProvider: { state: 'deployed', version: '1.2.3' } });
    expect(engine.snapshot().timeline.map(({ text }) => text)).toContain(`brought the pod network of ${ENDPOINT}`);
  });

  test('that joins waits for the cluster, whichever boots first', async () => {
    const engine = await after(100, machine('w-0', joinData('w-0')), kubeconfig(ca), CONFIG, workloadNode('w-0'));
    expect(conditionText(engine.get(nodeRef('w-0')), 'Synced')).toMatch(
      /cannot reach https:\/\/api.example.org:6443: connection refused/,
    );
    for (const object of [machine('cp-0', initData()), ...NETWORK]) engine.apply(object);
    await pass(engine, 200);
    expect(ready(engine, 'w-0')).toBe('True Available');
    expect(firstBootFailures(engine)).toEqual([]);
  });

  test.for([
    [
      'the wrong token',
      () => joinData('w-0', { token: 'aaaaaa.0123456789abcdef' }),
      /does not know the bootstrap token/,
    ],
    ['a pin of another CA', () => joinData('w-0', { hash: certificateHash(otherCa) }), /is none of the pinned ones/],
    ['no file of a bootstrap provider', () => payload([]), /no file of a bootstrap provider/],
    ['a shell script for a payload', () => payload([], '#!/bin/sh\n'), /the first line is not #cloud-config/],
    [
      'an init payload without a CA',
      () => payload([file('/k.yaml', `kind: ClusterConfiguration\ncontrolPlaneEndpoint: ${ENDPOINT}\n`)]),
      /ca\.crt is not among the files/,
    ],
  ] as const)('with %s never becomes a node, and an event reports why', async ([, data, why]) => {
    const engine = await after(
      600,
      machine('cp-0', initData()),
      machine('w-0', data()),
      kubeconfig(ca),
      CONFIG,
      workloadNode('w-0'),
    );
    expect(firstBootFailures(engine)).toEqual([expect.stringMatching(why)]);
    expect(ready(engine, 'w-0')).toBe('False WaitingForNode – waiting for Node "w-0" to register');
    expect(engine.snapshot().violations).toEqual([]);
  });

  test('that starts a cluster a second time violates the rules', async () => {
    const engine = await after(600, machine('cp-0', initData()), machine('cp-1', initData()));
    expect(engine.snapshot().violations).toEqual([
      expect.stringMatching(
        /^split brain: cp-[01] ran kubeadm init for api.example.org:6443, which cp-[01] had started$/,
      ),
    ]);
  });
});

describe('a WorkloadNode', () => {
  test('that is deleted drains its Node first', async () => {
    const engine = await after(
      400,
      machine('cp-0', initData()),
      machine('w-0', joinData('w-0')),
      kubeconfig(ca),
      CONFIG,
      workloadNode('w-0'),
    );
    engine.delete(nodeRef('w-0'));
    await pass(engine, 2);
    expect(conditionText(engine.get(nodeRef('w-0')), 'Drained')).toBe('False Draining – evicting pods from Node "w-0"');
    await pass(engine, 60);
    expect(engine.get(nodeRef('w-0'))).toBeUndefined();
    expect(engine.snapshot().counters.nodesDrained).toBe(1);
  });

  test('of a cluster that is being deleted does not wait, and its ProviderConfig is deleted after it', async () => {
    const engine = await after(400, machine('cp-0', initData()), kubeconfig(ca), CONFIG, workloadNode('cp-0'));
    const [usage] = engine.list({ ...CONFIG_REF, kind: 'ProviderConfigUsage' });
    expect(usage).toMatchObject({ resourceRef: { name: 'cp-0' }, providerConfigRef: { name: 'c' } });
    engine.delete({ apiVersion: 'v1', kind: 'Secret', namespace: 'ns', name: 'kc' });
    engine.delete(CONFIG_REF);
    await pass(engine, 2);
    expect(conditionText(engine.get(CONFIG_REF), 'Terminating')).toBe('True InUse – 1 object uses it');
    engine.delete(nodeRef('cp-0'));
    await pass(engine, 2);
    expect(engine.get(nodeRef('cp-0'))).toBeUndefined();
    expect(engine.get(CONFIG_REF)).toBeUndefined();
  });

  test('reports that its machine is gone, and is released without a drain', async () => {
    const engine = await after(
      400,
      machine('cp-0', initData()),
      machine('w-0', joinData('w-0')),
      kubeconfig(ca),
      CONFIG,
      workloadNode('w-0'),
    );
    engine.terminate(machineRef('w-0'));
    await pass(engine, 2);
    expect(ready(engine, 'w-0')).toBe('False NodeUnknown – the kubelet of Node "w-0" does not respond');
    engine.delete(nodeRef('w-0'));
    await pass(engine, 2);
    expect(engine.get(nodeRef('w-0'))).toBeUndefined();
  });

  test('does not trust a cluster with another CA', async () => {
    const engine = await after(400, machine('cp-0', initData()), kubeconfig(otherCa), CONFIG, workloadNode('cp-0'));
    expect(conditionText(engine.get(nodeRef('cp-0')), 'Synced')).toMatch(/certificate signed by unknown authority/);
  });
});
