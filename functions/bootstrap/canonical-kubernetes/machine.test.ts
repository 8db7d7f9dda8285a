import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { at, type JsonObject, stringAt } from '#lib/api/json.ts';
import { syntaxProblem } from '../../../test/judges/shell.ts';
import { JOIN_TOKEN } from '../../../test/support/first-boot.ts';
import { expectNeverSmaller, expectOrderBlind, expectPure, replyOf } from '../../../test/support/function-laws.ts';
import { run } from '../fn.ts';
import { masked } from '../masked.fixture.ts';
import { fileIn, MACHINE_KINDS, type MachineKind, scriptsIn, type Wanted } from '../plans.fixture.ts';
import { canonicalPlans, EVERY_CANONICAL } from './canonical-kubernetes.fixture.ts';
import { CanonicalKubernetesConfig, OF_THE_CLUSTER } from './config.ts';

const { planOf, requestOf, clusterOf } = canonicalPlans;

const CONFIG = '/etc/slipway/k8s.yaml';
const TOKEN = '/etc/slipway/k8s-join-token';
const AUTH_TOKEN = '/etc/slipway/k8s-auth-token';
const JOINS = ['control-plane', 'worker'] as const;

const MARKS = {
  labels: { b: '2', 'node-role.kubernetes.io/x': '' },
  taints: [
    { key: 'dedicated', value: 'blue', effect: 'NoSchedule' },
    { key: 'a', effect: 'NoExecute' },
  ],
  provisioning: {
    registries: [{ host: 'docker.io', mirrors: ['https://mirror.example.com'] }],
    proxy: { https: 'http://proxy.example.com:3128' },
  },
};

const documentOf = async (kind: MachineKind, wanted?: Wanted) =>
  parse(fileIn(await planOf(kind, wanted), CONFIG) ?? '', { version: '1.1' }) as JsonObject;

describe('what a machine receives', () => {
  test.for(
    MACHINE_KINDS.flatMap((kind) => [
      { name: kind, kind, config: {}, spec: {} },
      { name: `${kind}-everything`, kind, config: EVERY_CANONICAL, spec: MARKS },
    ]),
  )('$name', async ({ name, kind, config, spec }) => {
    const text = masked(await planOf(kind, { config, spec })).replaceAll(JOIN_TOKEN, 'masked-join-token');
    await expect(text).toMatchFileSnapshot(`golden/${name}.yaml`);
  });

  test('only the machine that starts the cluster has keys, in a file that is removed once it is a node', async () => {
    for (const kind of MACHINE_KINDS) {
      const { files, removeAfterBootstrap } = await planOf(kind);
      const holding = files.filter(({ content }) => Buffer.from(content, 'base64').includes('PRIVATE KEY'));
      expect(holding.map(({ path, mode }) => [path, mode])).toEqual(kind === 'init' ? [[CONFIG, '0600']] : []);
      expect(removeAfterBootstrap).toEqual(kind === 'init' ? [CONFIG, AUTH_TOKEN] : [TOKEN]);
    }
  });

  test('only the machine that starts the cluster has the token of provider-node, which it hands to k8sd', async () => {
    const { secrets } = await clusterOf({}, false);
    const token = Buffer.from(stringAt(secrets['capi-auth-token'], 'data', 'token') ?? '', 'base64');
    expect(token.toString()).toMatch(/^[0-9a-f]{32}$/);
    for (const kind of MACHINE_KINDS) {
      const holding = (await planOf(kind)).files.filter(({ content }) =>
        Buffer.from(content, 'base64').includes(token),
      );
      expect(holding.map(({ path, mode }) => [path, mode])).toEqual(kind === 'init' ? [[AUTH_TOKEN, '0600']] : []);
    }
  });

  test('the authorities of the cluster, each in its place', async () => {
    const { secrets } = await clusterOf({}, false);
    const pem = (key: string, field: string) =>
      Buffer.from(stringAt(secrets[key], 'data', field) ?? '', 'base64').toString();
    expect(await documentOf('init')).toMatchObject({
      'ca-crt': pem('ca', 'tls.crt'),
      'ca-key': pem('ca', 'tls.key'),
      'client-ca-crt': pem('client-ca', 'tls.crt'),
      'client-ca-key': pem('client-ca', 'tls.key'),
      'front-proxy-ca-crt': pem('proxy-ca', 'tls.crt'),
      'front-proxy-ca-key': pem('proxy-ca', 'tls.key'),
      'service-account-key': pem('sa', 'tls.key'),
      'extra-sans': ['api.example.com'],
      'pod-cidr': '10.244.0.0/16',
      'service-cidr': '10.96.0.0/12',
    });
  });

  test.for([
    { config: {}, network: true, gateway: true, metrics: true, storage: undefined },
    { config: { network: { enabled: false } }, network: false, gateway: false, metrics: true, storage: undefined },
    {
      config: {
        gateway: { enabled: false },
        'metrics-server': { enabled: false },
        'local-storage': { enabled: true },
      },
      network: true,
      gateway: false,
      metrics: false,
      storage: true,
    },
  ])('every feature explicitly, because k8sd enables few that the file leaves out: $config', async (wanted) => {
    const features = (await documentOf('init', { config: { 'cluster-config': wanted.config } }))['cluster-config'];
    const enabled = (feature: string) => at(features, feature, 'enabled');
    expect(['network', 'gateway', 'metrics-server', 'local-storage', 'dns'].map(enabled)).toEqual([
      wanted.network,
      wanted.gateway,
      wanted.metrics,
      wanted.storage,
      true,
    ]);
  });

  test('the kubelet registers with the id and taints of the machine', async () => {
    expect((await documentOf('worker', { spec: MARKS }))['extra-node-kubelet-args']).toEqual({
      '--cloud-provider': 'external',
      '--provider-id': 'aws:///${failureDomain}/${instanceId}',
      '--register-with-taints': 'dedicated=blue:NoSchedule,a:NoExecute',
    });
  });

  test.for(MACHINE_KINDS)('any shell can parse both scripts of a %s', async (kind) => {
    const scripts = scriptsIn(await planOf(kind, { config: EVERY_CANONICAL, spec: MARKS }));
    expect(scripts.map(syntaxProblem)).toEqual([undefined, undefined]);
  });
});

describe('a machine that joins', () => {
  test.for(JOINS)('%s: waits for the token that provider-node asks for, and says who can help', async (kind) => {
    const request = await requestOf(kind);
    for (const missing of [[], undefined]) {
      const required = new Map(request.required);
      if (missing === undefined) required.delete('join-token');
      else required.set('join-token', missing);
      const reply = await replyOf(run, { ...request, required });
      const ready = reply.conditions.find(({ type }) => type === 'BootstrapConfigReady');
      expect(ready).toMatchObject({ status: 'False', reason: 'WaitingForJoinToken' });
      await expect(ready?.message).toMatchFileSnapshot(`golden/waiting-${kind}.txt`);
      expect(reply.context).toEqual({
        'slipway.dev/node-join': {
          contract: 1,
          kind: kind === 'worker' ? 'CanonicalKubernetesWorker' : 'CanonicalKubernetesControlPlane',
          secretRef: { name: `prod-${kind}-0-aaaaa-join-token`, key: 'token' },
          authSecretRef: { name: 'prod-capi-auth-token' },
          ttl: '1h',
        },
      });
      expect([...reply.requirements.keys()]).toEqual(['cluster', 'join-token', 'ca']);
    }
  });

  test.for(JOINS)('%s: uses the token that was supplied', async (kind) => {
    const plan = await planOf(kind);
    expect(fileIn(plan, TOKEN)).toBe(JOIN_TOKEN);
    expect(scriptsIn(plan).at(-1)).toContain(`k8s join-cluster "$(cat ${TOKEN})" --name prod-${kind}-0-aaaaa `);
  });

  test('is not asked for while the cluster is not initialized, when nobody could answer', async () => {
    const request = await requestOf('worker');
    const [cluster] = request.required.get('cluster') ?? [];
    const early = { ...cluster!, spec: { ...cluster!.spec, controlPlane: { initialized: false } } };
    const required = new Map([...request.required, ['cluster', [early]] as const]);
    const reply = await replyOf(run, { ...request, required });
    expect(reply.context).toEqual({});
    expect(reply.conditions[0]?.message).toContain('to be initialized');
  });

  test('asks for its own token, and the machine that starts the cluster asks for none', async () => {
    const asked = await replyOf(run, await requestOf('worker'));
    expect(asked.requirements.get('join-token')).toMatchObject({ matchName: 'prod-worker-0-aaaaa-join-token' });
    const first = await replyOf(run, await requestOf('init'));
    expect([...first.requirements.keys()]).toEqual(['cluster', 'ca', 'client-ca', 'proxy-ca', 'sa', 'capi-auth-token']);
  });
});

test('every field of the configuration changes what some machine receives', async () => {
  expect(Object.keys(EVERY_CANONICAL).toSorted()).toEqual(Object.keys(CanonicalKubernetesConfig.shape).toSorted());
  for (const field of OF_THE_CLUSTER) expect(Object.keys(CanonicalKubernetesConfig.shape)).toContain(field);
  const shown = async (config: JsonObject) => masked(await planOf('init', { config }));
  for (const field of Object.keys(CanonicalKubernetesConfig.shape))
    expect(await shown({ [field]: EVERY_CANONICAL[field] }), field).not.toBe(await shown({}));
});

test('the laws hold for every machine, whatever is missing', async () => {
  for (const kind of MACHINE_KINDS) {
    const request = await requestOf(kind, { config: EVERY_CANONICAL, spec: MARKS });
    await expectPure(run, request);
    await expectOrderBlind(run, request);
    await expectNeverSmaller(run, request);
  }
});
