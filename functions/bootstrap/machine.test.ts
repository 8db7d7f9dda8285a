import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { aMachine, INFRASTRUCTURE } from '../../test/support/claims.ts';
import { EVERY_KUBEADM } from './kubeadm/everything.fixture.ts';
import {
  aBootstrappedCluster,
  type Bootstrapped,
  machineOf,
  machineRequest,
  type MACHINES,
  MACHINE_TOKEN,
} from '../../test/support/first-boot.ts';
import { expectNeverSmaller, expectOrderBlind, expectPure, replyOf } from '../../test/support/function-laws.ts';
import { aRequest } from '../../test/support/request.ts';
import { run } from './fn.ts';
import { KubeadmConfig } from './kubeadm/config.ts';
import { isKubeletLabel } from './kubelet-labels.ts';
import { masked } from './masked.fixture.ts';
import { fileIn } from './plans.fixture.ts';

type Kind = keyof typeof MACHINES;
const KINDS: readonly Kind[] = ['init', 'control-plane', 'worker'];

/** One cluster for each configuration, before and after it was initialized. */
const clusters = new Map<string, Promise<Bootstrapped>>();
function clusterOf(config: JsonObject, version: string, initialized: boolean): Promise<Bootstrapped> {
  const key = JSON.stringify([config, version, initialized]);
  const found = clusters.get(key) ?? aBootstrappedCluster({ spec: { version, bootstrap: { config } }, initialized });
  clusters.set(key, found);
  return found;
}

interface Wanted {
  readonly spec?: JsonObject;
  readonly config?: JsonObject;
  readonly poolConfig?: JsonObject;
  readonly version?: string;
}

async function requestOf(kind: Kind, { spec, config = {}, poolConfig, version = 'v1.35.4' }: Wanted = {}) {
  const cluster = await clusterOf(config, version, kind !== 'init');
  return machineRequest(cluster, machineOf(kind, { version, ...spec }, poolConfig ?? config));
}

async function planOf(kind: Kind, wanted?: Wanted): Promise<ScriptedPlan> {
  const reply = await replyOf(run, await requestOf(kind, wanted));
  return ScriptedPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
}

/** The documents of kubeadm.yaml by kind. */
function documentsIn(plan: ScriptedPlan): Record<string, JsonObject> {
  const documents = parseAllDocuments(fileIn(plan, '/etc/kubernetes/kubeadm.yaml') ?? '');
  return Object.fromEntries(documents.map((document) => [String(document.get('kind')), document.toJS() as JsonObject]));
}

function nodeRegistration(plan: ScriptedPlan): JsonObject {
  const { InitConfiguration: init, JoinConfiguration: join } = documentsIn(plan);
  const found = (init ?? join)?.['nodeRegistration'];
  return isJsonObject(found) ? found : {};
}

describe('what a machine receives', () => {
  test.for(
    KINDS.flatMap((kind) => [
      { name: `${kind}-v1.35`, kind, version: 'v1.35.4', config: {} },
      { name: `${kind}-v1.30`, kind, version: 'v1.30.5', config: {} },
      { name: `${kind}-everything`, kind, version: 'v1.35.4', config: EVERY_KUBEADM },
    ]),
  )('$name', async ({ name, kind, version, config }) => {
    const plan = await planOf(kind, { version, config });
    await expect(masked(plan)).toMatchFileSnapshot(`golden/${name}.yaml`);
  });

  test('the metadata service of its cloud as the Cluster reports it, or none if the Cluster reports none', async () => {
    const request = await requestOf('worker');
    const [cluster] = request.required.get('cluster') ?? [];
    const metadataService = {
      url: 'http://metadata.example.com',
      values: { instanceId: { path: 'name' }, failureDomain: { path: 'zone', lastPart: true } },
    };
    const configured = { ...INFRASTRUCTURE, metadataService };
    const telling = { ...cluster!, spec: { ...cluster!.spec, infrastructure: configured } };
    const required = new Map([...request.required, ['cluster', [telling]]]);
    const plan = async (asked: Request) =>
      ScriptedPlan.parse((await replyOf(run, asked)).context['slipway.dev/bootstrap-plan']);
    expect((await plan({ ...request, required })).metadataService).toEqual(metadataService);
    expect(await plan(request)).not.toHaveProperty('metadataService');
  });

  test('private keys and files with the token are readable by root only; a worker gets no key at all', async () => {
    for (const kind of KINDS) {
      const { files } = await planOf(kind);
      const secret = files.filter(({ path }) => path.endsWith('.key') || path.endsWith('kubeadm.yaml'));
      expect(new Set(secret.map(({ mode }) => mode))).toEqual(new Set(['0600']));
      expect(new Set(files.map(({ owner }) => owner))).toEqual(new Set(['root:root']));
      expect(files.some(({ path }) => path.endsWith('.key'))).toBe(kind !== 'worker');
      for (const { path } of files) expect(path).toMatch(/^\/etc\//);
    }
  });

  test('the file with the token is removed once the machine is a node', async () => {
    for (const kind of KINDS) {
      const plan = await planOf(kind);
      expect(plan.removeAfterBootstrap).toContain('/etc/kubernetes/kubeadm.yaml');
      expect(plan.commands.bootstrap.join(' ')).not.toMatch(/[a-z0-9]{6}\.[a-z0-9]{16}/);
    }
  });

  test('a control plane that joins first updates the configuration in the cluster from its claim; a worker never does', async () => {
    const [upload = '', join] = (await planOf('control-plane')).commands.bootstrap;
    expect(upload).toContain('kubeadm init phase upload-config kubeadm --config /etc/kubernetes/kubeadm-cluster.yaml');
    expect(join).toBe('kubeadm join --config /etc/kubernetes/kubeadm.yaml');
    const file = fileIn(await planOf('control-plane'), '/etc/kubernetes/kubeadm-cluster.yaml');
    expect(file).toContain('kubernetesVersion: v1.35.4');
    expect((await planOf('worker')).commands.bootstrap).toEqual(['kubeadm join --config /etc/kubernetes/kubeadm.yaml']);
  });

  test('a joining machine pins the public key of the CA that the first machine received', async () => {
    const config = {};
    const { cluster } = await clusterOf(config, 'v1.35.4', true);
    const { JoinConfiguration: join } = documentsIn(await planOf('worker'));
    expect(join).toMatchObject({
      discovery: {
        bootstrapToken: {
          apiServerEndpoint: 'api.example.com:6443',
          caCertHashes: [stringAt(cluster, 'status', 'certificates', 'caCertHash')],
        },
      },
    });
  });

  test('flags that look like other types of YAML 1.1 stay strings', async () => {
    const extraArgs = {
      a: 'on',
      b: 'yes',
      c: '0x1f',
      d: '1_000',
      e: '1:30',
      f: 'null',
      g: '~',
      h: '1e3',
      i: '',
      j: '017',
    };
    const text = fileIn(await planOf('init', { config: { apiServer: { extraArgs } } }), '/etc/kubernetes/kubeadm.yaml');
    const [first] = parseAllDocuments(text ?? '', { version: '1.1' }).map((document) => document.toJS() as unknown);
    const { apiServer } = first as { apiServer: { extraArgs: { name: string; value: unknown }[] } };
    const flags = apiServer.extraArgs;
    expect(Object.fromEntries(flags.map(({ name, value }) => [name, value]))).toMatchObject(extraArgs);
  });
});

describe('proxy and mirrors of a claim', () => {
  const provisioning = {
    proxy: { https: 'http://fake:fake@proxy.example.com:3128' },
    registries: [{ host: 'docker.io', mirrors: ['https://mirror.example.com'] }],
  };

  test.for(KINDS)('%s: are set for containerd and kubelet, not for kubeadm', async (kind) => {
    const plan = await planOf(kind, { spec: { provisioning } });
    const service = fileIn(plan, '/etc/systemd/system/kubelet.service.d/90-slipway-proxy.conf');
    for (const block of ['10.244.0.0/16', '10.96.0.0/12', '10.0.0.0/16', '.cluster.local', 'api.example.com']) {
      expect(service).toContain(block);
      expect(plan.noProxy).toContain(block);
    }
    expect(fileIn(plan, '/etc/containerd/certs.d/docker.io/hosts.toml')).toContain('https://mirror.example.com');
    expect(plan.commands.bootstrap.at(-1)).toMatch(/^env -u HTTP_PROXY .* kubeadm (init|join) /);
    for (const command of plan.commands.bootstrap) expect(command).toMatch(/^env -u HTTP_PROXY|^unset HTTP_PROXY/m);
  });
});

describe('how a node registers', () => {
  test('with the name of its Machine and the id that its cloud gives it', async () => {
    const plan = await planOf('worker');
    expect(nodeRegistration(plan)).toMatchObject({
      name: 'prod-worker-0-aaaaa',
      kubeletExtraArgs: [
        { name: 'cloud-provider', value: 'external' },
        { name: 'provider-id', value: 'aws:///${failureDomain}/${instanceId}' },
      ],
    });
    expect(plan.files.filter(({ instanceVariables }) => instanceVariables).map(({ path }) => path)).toEqual([
      '/etc/kubernetes/kubeadm.yaml',
    ]);
  });

  test('without a known format of ids nothing is substituted', async () => {
    const cluster = await aBootstrappedCluster({
      infrastructure: { contract: 1, cloud: 'lab', region: 'r', ready: true },
    });
    const reply = await replyOf(run, machineRequest(cluster, machineOf('worker')));
    const plan = ScriptedPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
    expect(plan.files.some(({ instanceVariables }) => instanceVariables)).toBe(false);
    expect(JSON.stringify(nodeRegistration(plan))).not.toContain('provider-id');
  });

  test.for([
    { name: 'a control plane keeps the taint of kubeadm', kind: 'init' as const, taints: [], want: undefined },
    {
      name: 'taints of the claim replace it',
      kind: 'control-plane' as const,
      taints: [{ key: 'a', effect: 'NoSchedule' }],
      want: [{ key: 'a', effect: 'NoSchedule' }],
    },
    { name: 'a worker has none', kind: 'worker' as const, taints: [], want: undefined },
  ])('$name', async ({ kind, taints, want }) => {
    expect(nodeRegistration(await planOf(kind, { spec: { taints } }))['taints']).toEqual(want);
  });

  test.for([
    ['example.com/team', true],
    ['workload', true],
    ['node.kubernetes.io/pool', true],
    ['a.node.kubernetes.io/pool', true],
    ['kubelet.kubernetes.io/pool', true],
    ['topology.kubernetes.io/zone', true],
    ['node-role.kubernetes.io/worker', false],
    ['node-restriction.kubernetes.io/pool', false],
    ['kubernetes.io/role', false],
    ['team.k8s.io/role', false],
    ['notnode.kubernetes.io/role', false],
    ['mykubernetes.io/role', true],
  ] as const)('the kubelet may set %s itself: %s', ([label, may]) => {
    expect(isKubeletLabel(label)).toBe(may);
  });

  test('its labels are set from the start; labels that the kubelet may not set come from outside', async () => {
    const labels = { b: '2', 'example.com/a': '', 'node-role.kubernetes.io/x': '' };
    const flags = nodeRegistration(await planOf('worker', { spec: { labels } }))['kubeletExtraArgs'];
    expect(flags).toContainEqual({ name: 'node-labels', value: 'b=2,example.com/a=' });
  });

  test.for([
    { name: 'the Composition', config: {}, input: 'none', want: false },
    { name: 'the claim, before the Composition', config: { cloudProvider: 'external' }, input: 'none', want: true },
    { name: 'the claim, before the default', config: { cloudProvider: 'none' }, input: undefined, want: false },
  ])('whether it waits for a cloud controller manager comes from $name', async ({ config, input, want }) => {
    const request = await requestOf('init', { config });
    const fields = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'BootstrapInput', cloudProvider: input };
    const reply = await replyOf(run, input === undefined ? request : { ...request, input: fields });
    const plan = ScriptedPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
    expect(fileIn(plan, '/etc/kubernetes/kubeadm.yaml')?.includes('cloud-provider')).toBe(want);
  });
});

describe('the kubelet configuration of a pool', () => {
  const PATCHES = ['00', '01'].map((number) => `/etc/kubernetes/patches/kubeletconfiguration${number}+merge.json`);
  const patchesIn = (plan: ScriptedPlan) => PATCHES.map((path) => fileIn(plan, path));
  const config = { kubeletConfiguration: { maxPods: 110 } };

  test('is merged over that of the cluster by a patch, on its nodes only', async () => {
    const pool = { kubeletConfiguration: { maxPods: 20 } };
    const plan = await planOf('worker', { config, poolConfig: pool });
    expect(patchesIn(plan)).toEqual(['{"maxPods":110}\n', '{"maxPods":20}\n']);
    expect(documentsIn(plan)['JoinConfiguration']).toMatchObject({ patches: { directory: '/etc/kubernetes/patches' } });
  });

  test('needs no patch of its own when it equals that of the Cluster, which may have changed since its first machine', async () => {
    expect(patchesIn(await planOf('worker', { config }))).toEqual(['{"maxPods":110}\n', undefined]);
    const init = await planOf('init', { config });
    expect(patchesIn(init)).toEqual([undefined, undefined]);
    expect(documentsIn(init)['KubeletConfiguration']).toMatchObject({ maxPods: 110 });
  });
});

test('every field of the configuration changes what some machine receives', async () => {
  const fields = Object.keys(KubeadmConfig.shape).filter(
    (field) => !['encryptSecrets', 'encryptionAlgorithm'].includes(field),
  );
  expect(Object.keys(EVERY_KUBEADM).toSorted()).toEqual(Object.keys(KubeadmConfig.shape).toSorted());
  for (const field of fields) {
    const config = { [field]: EVERY_KUBEADM[field] };
    const changed = await Promise.all(
      (['init', 'control-plane'] as const).map(async (kind) => {
        const [plain, configured] = [await planOf(kind), await planOf(kind, { config })];
        const shape = ({ files, commands }: ScriptedPlan) =>
          JSON.stringify([
            fileIn({ files, commands } as ScriptedPlan, '/etc/kubernetes/kubeadm.yaml')?.replace(/sha256:\w+/, ''),
            files.map(({ path }) => path),
            commands,
          ]);
        return shape(plain) !== shape(configured);
      }),
    );
    expect(changed, field).toContain(true);
  }
});

test('a worker older than its control plane is not checked for settings that only the control plane uses', async () => {
  const config = { certificateValidityPeriod: '2160h' };
  const { cluster, secrets } = await clusterOf(config, 'v1.31.2', true);
  const request = machineRequest({ cluster, secrets }, machineOf('worker', { version: 'v1.30.5' }, config));
  const reply = await replyOf(run, request);
  expect(Object.keys(reply.context).toSorted()).toEqual(['slipway.dev/bootstrap-plan', 'slipway.dev/node-join']);
});

describe('what a machine waits for', () => {
  const waiting = async (request: Request) => {
    const reply = await replyOf(run, request);
    expect(reply.context).toEqual({});
    expect(reply.compositeReady).toBe('False');
    expect(reply.ttl).toBe(10);
    const [condition] = reply.conditions;
    expect(condition).toMatchObject({ type: 'BootstrapConfigReady', status: 'False', reason: 'Waiting' });
    return condition?.message;
  };
  const without = (request: Request, name: string, found?: readonly KubeObject[]): Request => {
    const rest = [...request.required].filter(([key]) => key !== name);
    return { ...request, required: new Map(found === undefined ? rest : [...rest, [name, found]]) };
  };

  test.for(KINDS)('%s: waits for its Cluster, requested or not found', async (kind) => {
    const request = await requestOf(kind);
    expect(await waiting(without(request, 'cluster'))).toBe('waiting for Cluster "team-a/prod"');
    expect(await waiting(without(request, 'cluster', []))).toBe(
      'waiting for Cluster "team-a/prod": not accepted yet, or not found',
    );
  });

  test.for([
    { kind: 'init' as const, asks: ['cluster', 'ca', 'etcd-ca', 'proxy-ca', 'sa', 'encryption'] },
    {
      kind: 'control-plane' as const,
      asks: ['cluster', 'ca', 'etcd-ca', 'proxy-ca', 'sa', 'encryption'],
    },
    { kind: 'worker' as const, asks: ['cluster', 'ca'] },
  ])('$kind requests just what it needs, always all of it', async ({ kind, asks }) => {
    const request = await requestOf(kind);
    for (const name of ['', 'ca']) {
      const reply = await replyOf(run, without(request, name));
      expect([...reply.requirements.keys()]).toEqual(asks);
    }
  });

  test('every machine except the first waits until the control plane is initialized, whatever else exists', async () => {
    const early = await clusterOf({}, 'v1.35.4', false);
    for (const kind of ['control-plane', 'worker'] as const)
      expect(await waiting(machineRequest(early, machineOf(kind)))).toBe(
        'waiting for the control plane of Cluster "prod" to be initialized',
      );
    const first = await replyOf(run, machineRequest(early, machineOf('init')));
    expect(Object.keys(first.context).toSorted()).toEqual(['slipway.dev/bootstrap-plan', 'slipway.dev/node-join']);
  });

  test('waits for certificates and endpoint while the Cluster has not reported them', async () => {
    const made = await clusterOf({}, 'v1.35.4', false);
    const { certificates, controlPlaneEndpoint: _, ...rest } = made.cluster.status as JsonObject;
    const telling = (status: JsonObject) =>
      machineRequest({ ...made, cluster: { ...made.cluster, status } }, machineOf('init'));
    expect(await waiting(telling(rest))).toBe('waiting for the certificates of Cluster "prod"');
    expect(await waiting(telling({ ...rest, certificates }))).toBe(
      'waiting for the control-plane endpoint of Cluster "prod"',
    );
  });

  test('requests and reports nothing more once its first-boot data is stored', async () => {
    const payload = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } };
    const bad = aMachine({ spec: { bootstrap: { provider: 'gone', action: 'Join' } } });
    const reply = await replyOf(run, aRequest({ composite: bad, observed: { payload } }));
    expect(reply).toMatchObject({ context: {}, ttl: 600, compositeReady: 'Unspecified' });
    expect(reply.requirements.size).toBe(0);
    expect(reply.conditions).toEqual([{ type: 'BootstrapConfigReady', status: 'True', reason: 'Ready' }]);
  });
});

test('the laws hold for every machine, whatever is missing', async () => {
  for (const kind of KINDS) {
    const request = await requestOf(kind, { config: EVERY_KUBEADM });
    await expectPure(run, request);
    await expectOrderBlind(run, request);
    await expectNeverSmaller(run, request);
  }
});

test('no condition and no event contains data of a Secret', async () => {
  const { secrets } = await clusterOf({}, 'v1.35.4', true);
  const texts = Object.values(secrets).flatMap(({ data }) => Object.values(isJsonObject(data) ? data : {}) as string[]);
  const decoded = texts.flatMap((text) => Buffer.from(text, 'base64').toString().split('\n'));
  const secret = [...texts, ...decoded, MACHINE_TOKEN].filter((text) => text.length > 20 && !text.startsWith('-----'));
  const names = ['cluster', 'ca', 'etcd-ca', 'proxy-ca', 'sa'];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...KINDS), fc.subarray(names), async (kind, hidden) => {
      const request = await requestOf(kind);
      const required = new Map([...request.required].filter(([name]) => !hidden.includes(name)));
      const { conditions, events, status } = await replyOf(run, { ...request, required });
      const said = JSON.stringify([conditions, events, status]);
      for (const text of secret) expect(said.includes(text)).toBe(false);
    }),
    { numRuns: 50 },
  );
});

describe('a proxy from a Secret', async () => {
  const url = 'http://fake-user:fake-proxy-password@proxy.example.com:3128';
  const proxy = {
    httpFrom: { secret: { name: 'proxy', key: 'url' } },
    httpsFrom: { secret: { name: 'proxy', key: 'url' } },
  };
  const cluster = await clusterOf({}, 'v1.35.4', true);
  const request = machineRequest(cluster, machineOf('worker', { provisioning: { proxy } }));
  const secret = (labels: Readonly<Record<string, string>>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'proxy', namespace: 'team-a', labels },
    data: { url: Buffer.from(`${url}\n`).toString('base64') },
  });
  const answer = (...found: readonly KubeObject[]) =>
    replyOf(run, { ...request, required: new Map([...request.required, ['secret-proxy', found]]) });

  test('is used by the services of Kubernetes, and nothing but the plan has it', async () => {
    const reply = await answer(secret({ 'slipway.dev/cluster': 'prod' }));
    const plan = ScriptedPlan.parse(reply.context[CONTEXT.bootstrapPlan]);
    const dropIn = fileIn(plan, '/etc/systemd/system/containerd.service.d/90-slipway-proxy.conf');
    expect(dropIn).toContain(`"HTTP_PROXY=${url}"`);
    expect(dropIn).toContain(`"HTTPS_PROXY=${url}"`);
    const { context: _context, ...rest } = reply;
    expect(JSON.stringify({ ...rest, resources: [...rest.resources] })).not.toContain('fake-proxy-password');
  });

  test('is waited for', async () => {
    expect((await answer()).conditions).toContainEqual({
      type: 'BootstrapConfigReady',
      status: 'False',
      reason: 'WaitingForSecret',
      message: 'waiting for Secret "team-a/proxy"',
    });
  });

  test('is refused if it belongs to another cluster', async () => {
    await expect(answer(secret({ 'slipway.dev/cluster': 'other' }))).rejects.toMatchObject({
      code: 'UnreadableSecret',
      message:
        'cannot use Secret "team-a/proxy": its label slipway.dev/cluster says that it belongs to Cluster "other"',
    });
  });
});
