import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { at, type JsonObject, stringAt } from '#lib/api/json.ts';
import { syntaxProblem } from '../../../test/judges/shell.ts';
import { expectNeverSmaller, expectOrderBlind, expectPure, replyOf } from '../../../test/support/function-laws.ts';
import { aRequest } from '../../../test/support/request.ts';
import { run } from '../fn.ts';
import { masked } from '../masked.fixture.ts';
import { fileIn, MACHINE_KINDS, type MachineKind, scriptsIn, type Wanted } from '../plans.fixture.ts';
import { MicroK8sConfig, OF_THE_CLUSTER } from './config.ts';
import { EVERY_MICROK8S, microk8sPlans } from './microk8s.fixture.ts';

const { planOf, requestOf, clusterOf, machine } = microk8sPlans;

const FOLDER = '/var/snap/microk8s/common/slipway';
const INSTALL = '/etc/slipway/microk8s-install.sh';
const START = '/etc/slipway/microk8s-start.sh';

const MARKS = {
  labels: { b: '2', 'example.com/a': '', 'node-role.kubernetes.io/x': '' },
  taints: [
    { key: 'dedicated', value: 'blue', effect: 'NoSchedule' },
    { key: 'a', effect: 'NoExecute' },
  ],
  provisioning: {
    registries: [
      { host: 'docker.io', mirrors: ['https://mirror.example.com'], caCertificate: '-----BEGIN CERTIFICATE-----\n' },
    ],
    proxy: { https: 'http://proxy.example.com:3128' },
  },
};

const launchOf = async (kind: MachineKind, wanted?: Wanted): Promise<JsonObject> =>
  parse(fileIn(await planOf(kind, wanted), '/var/snap/microk8s/common/.microk8s.yaml') ?? '', {
    version: '1.1',
  }) as JsonObject;
const scriptOf = async (kind: MachineKind, wanted?: Wanted) => fileIn(await planOf(kind, wanted), START) ?? '';
const kubeletOf = async (kind: MachineKind, wanted?: Wanted) =>
  parse(fileIn(await planOf(kind, wanted), `${FOLDER}/kubelet.yaml`) ?? '') as JsonObject;

describe('what a machine receives', () => {
  test.for(
    MACHINE_KINDS.flatMap((kind) => [
      { name: kind, kind, config: {}, spec: {} },
      { name: `${kind}-everything`, kind, config: EVERY_MICROK8S, spec: MARKS },
    ]),
  )('$name', async ({ name, kind, config, spec }) => {
    await expect(masked(await planOf(kind, { config, spec }))).toMatchFileSnapshot(`golden/${name}.yaml`);
  });

  test('only the first machine gets the key of the authority, and files with a secret are readable by root only', async () => {
    for (const kind of MACHINE_KINDS) {
      const { files } = await planOf(kind);
      expect(files.some(({ path }) => path === `${FOLDER}/ca.key`)).toBe(kind === 'init');
      const secret = files.filter(({ path }) => /ca\.key$|\.microk8s\.yaml$/.test(path));
      expect(new Set(secret.map(({ mode }) => mode))).toEqual(new Set(['0600']));
    }
  });

  test('files with the token or the key are removed once the machine is a node', async () => {
    const token = stringAt((await clusterOf()).secrets['token'], 'data', 'value') ?? '';
    for (const kind of ['control-plane', 'worker'] as const) {
      const { files, removeAfterBootstrap } = await planOf(kind);
      // In a test both tokens are the same text; the agent reads that of provider-node for as long as it runs.
      const holding = files.filter(
        ({ path, content }) =>
          path !== '/capi/etc/token' && Buffer.from(content, 'base64').includes(Buffer.from(token, 'base64')),
      );
      expect(holding.length).toBeGreaterThan(0);
      expect(removeAfterBootstrap).toEqual(expect.arrayContaining(holding.map(({ path }) => path)));
    }
    expect((await planOf('init')).removeAfterBootstrap).toContain(`${FOLDER}/ca.key`);
  });

  test('every control plane has the token of provider-node, because any of them may be asked, and no worker has', async () => {
    for (const kind of MACHINE_KINDS) {
      const { files, removeAfterBootstrap } = await planOf(kind);
      const found = files.filter(({ path }) => path === '/capi/etc/token');
      expect(found.map(({ mode }) => mode)).toEqual(kind === 'worker' ? [] : ['0600']);
      expect(removeAfterBootstrap).not.toContain('/capi/etc/token');
    }
  });

  test('the plan says that it needs snapd', async () => {
    for (const kind of MACHINE_KINDS) expect((await planOf(kind)).needs).toEqual(['snapd']);
  });
});

describe('a joining machine', () => {
  test('trusts only a node whose certificate the cluster authority signed for the name of the endpoint', async () => {
    const { secrets } = await clusterOf();
    for (const kind of ['control-plane', 'worker'] as const) {
      const plan = await planOf(kind);
      expect(fileIn(plan, `${FOLDER}/ca.crt`)).toBe(
        Buffer.from(stringAt(secrets['ca'], 'data', 'tls.crt') ?? '', 'base64').toString(),
      );
      const script = fileIn(plan, START) ?? '';
      expect(script).toContain(
        `openssl verify -CAfile ${FOLDER}/ca.crt -purpose sslserver -verify_hostname api.example.com `,
      );
      expect(script).toContain('"$address:25000/$token/$wanted"');
      expect(script).not.toContain('skip-verify');
    }
  });

  test('joins as a worker when it is one', async () => {
    expect(await scriptOf('worker')).toContain('/$wanted" --worker\n');
    expect(await scriptOf('control-plane')).not.toContain('--worker');
  });

  test('gives the token to every control plane, so that each can admit others, and to no worker', async () => {
    const { secrets } = await clusterOf();
    const token = Buffer.from(stringAt(secrets['token'], 'data', 'value') ?? '', 'base64').toString();
    expect((await launchOf('control-plane'))['persistentClusterToken']).toBe(token);
    expect((await launchOf('init'))['persistentClusterToken']).toMatch(/^[0-9a-f]{32}$/);
    expect(await launchOf('worker')).toEqual({ version: '0.2.0' });
  });
});

describe('the launch configuration', () => {
  test('uses RBAC, unless the claim says otherwise', async () => {
    const mode = async (config: JsonObject) =>
      at(await launchOf('init', { config }), 'extraKubeAPIServerArgs', '--authorization-mode');
    expect(await mode({})).toBe('RBAC,Node');
    expect(await mode({ extraKubeAPIServerArgs: { 'authorization-mode': 'Webhook' } })).toBe('Webhook');
  });

  test('adds the endpoint, and the address that pods use for the API, to the certificate', async () => {
    const network = { services: '10.50.0.0/16' };
    const launch = await launchOf('init', { cluster: { network }, config: { extraSANs: ['k8s.example.com'] } });
    expect(launch['extraSANs']).toEqual(['api.example.com', '10.50.0.1', 'k8s.example.com']);
    expect(launch['extraCNIEnv']).toEqual({
      IPv4_SUPPORT: 'true',
      IPv4_CLUSTER_CIDR: '10.244.0.0/16',
      IPv4_SERVICE_CIDR: '10.50.0.0/16',
    });
  });

  test('flags that look like other types of YAML 1.1 stay strings', async () => {
    const extraKubeAPIServerArgs = { a: 'on', b: 'yes', c: '0x1f', d: '1_000', e: '1:30', f: 'null', g: '~', i: '' };
    const launch = await launchOf('init', { config: { extraKubeAPIServerArgs } });
    expect(launch['extraKubeAPIServerArgs']).toMatchObject(
      Object.fromEntries(Object.entries(extraKubeAPIServerArgs).map(([name, value]) => [`--${name}`, value])),
    );
  });

  test.for(MACHINE_KINDS)('%s: containerd uses mirrors and the proxy', async (kind) => {
    const launch = await launchOf(kind, { spec: MARKS });
    expect(at(launch, 'containerdRegistryConfigs', 'docker.io')).toBe(
      `[host."https://mirror.example.com"]\n  capabilities = ["pull", "resolve"]\n  ca = "${FOLDER}/certs.d/docker.io/ca.crt"\n`,
    );
    expect(at(launch, 'extraContainerdEnv', 'HTTPS_PROXY')).toBe('http://proxy.example.com:3128');
    const plan = await planOf(kind, { spec: MARKS });
    expect(fileIn(plan, `${FOLDER}/certs.d/docker.io/ca.crt`)).toBe('-----BEGIN CERTIFICATE-----\n');
    expect(plan.carries).toEqual(['registries']);
    expect(fileIn(plan, INSTALL)).toContain('snap set system proxy.https=http://proxy.example.com:3128\n');
  });
});

describe('the kubelet', () => {
  test('has the settings of the machine in a file, because a joining node copies the flags of the other node', async () => {
    const launch = await launchOf('init', { spec: MARKS });
    expect(launch['extraKubeletArgs']).toEqual({
      '--config': `${FOLDER}/kubelet.yaml`,
      '--cloud-provider': 'external',
    });
    const kubelet = await kubeletOf('worker', { spec: MARKS, config: { kubeletConfiguration: { maxPods: 60 } } });
    expect(kubelet).toEqual({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      maxPods: 60,
      providerID: 'aws:///${failureDomain}/${instanceId}',
      registerWithTaints: MARKS.taints,
    });
    const { files } = await planOf('worker');
    expect(files.filter(({ instanceVariables }) => instanceVariables).map(({ path }) => path)).toEqual([
      `${FOLDER}/kubelet.yaml`,
    ]);
  });

  test('sets only labels that a kubelet may set itself', async () => {
    expect(await scriptOf('worker', { spec: MARKS })).toContain(
      'node label node prod-worker-0-aaaaa --overwrite b=2 example.com/a=\n',
    );
    expect(await scriptOf('worker')).not.toContain(' label ');
  });
});

describe('the snap', () => {
  test.for([
    { config: {}, version: 'v1.35.4', want: 'snap install microk8s --channel=1.35/stable --classic;' },
    { config: { riskLevel: 'edge' }, version: 'v1.28.1', want: 'snap install microk8s --channel=1.28/edge --classic;' },
    {
      config: { confinement: 'strict' },
      version: 'v1.36.0',
      want: 'snap install microk8s --channel=1.36-strict/stable;',
    },
  ])('$want', async ({ config, version, want }) => {
    const plan = await planOf('worker', { poolConfig: config, version });
    expect(fileIn(plan, INSTALL)).toContain(want);
    expect(fileIn(plan, INSTALL)).toContain('snap refresh --hold microk8s');
  });

  test('its reconciler finds the Kubernetes API where it looks, on control planes only', async () => {
    const units = async (kind: MachineKind) => (await planOf(kind)).units.map(({ name, enabled }) => [name, enabled]);
    const unstarted = ['slipway-microk8s-api.service', false];
    expect(await units('init')).toEqual([['slipway-microk8s-api.socket', true], unstarted]);
    expect(await units('control-plane')).toEqual([['slipway-microk8s-api.socket', false], unstarted]);
    expect(await units('worker')).toEqual([]);
  });

  test('opens the Kubernetes API to load balancers before joining only on the machine that starts the cluster', async () => {
    const port = async (kind: MachineKind) => at(await launchOf(kind), 'extraKubeAPIServerArgs', '--secure-port');
    expect(await port('init')).toBe('6443');
    expect(await port('control-plane')).toBeUndefined();
  });

  test.for(MACHINE_KINDS)('any shell can parse both scripts of a %s', async (kind) => {
    for (const config of [{}, EVERY_MICROK8S]) {
      const scripts = scriptsIn(await planOf(kind, { config, spec: MARKS }));
      expect(scripts.map(syntaxProblem)).toEqual([undefined, undefined]);
    }
  });
});

test('every field of the configuration changes what some machine receives', async () => {
  expect(Object.keys(EVERY_MICROK8S).toSorted()).toEqual(Object.keys(MicroK8sConfig.shape).toSorted());
  for (const field of OF_THE_CLUSTER) expect(Object.keys(MicroK8sConfig.shape)).toContain(field);
  const shown = async (config: JsonObject) => masked(await planOf('init', { config }));
  for (const field of Object.keys(MicroK8sConfig.shape))
    expect(await shown({ [field]: EVERY_MICROK8S[field] }), field).not.toBe(await shown({}));
});

describe('what a machine waits for', () => {
  test.for(MACHINE_KINDS)('%s requests just what it needs, always all of it', async (kind) => {
    const request = await requestOf(kind);
    const keys = ['ca', 'token', ...(kind === 'worker' ? [] : ['capi-auth-token'])];
    for (const hidden of ['', ...keys]) {
      const required = new Map([...request.required].filter(([name]) => name !== hidden));
      const reply = await replyOf(run, { ...request, required });
      expect([...reply.requirements.keys()]).toEqual(['cluster', ...keys]);
      expect('slipway.dev/bootstrap-plan' in reply.context).toBe(hidden === '');
    }
  });

  test('is nothing more once its first-boot data is stored', async () => {
    const payload = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } };
    const reply = await replyOf(run, aRequest({ composite: machine('worker'), observed: { payload } }));
    expect(reply.requirements.size).toBe(0);
  });
});

test('the laws hold for every machine, whatever is missing', async () => {
  for (const kind of MACHINE_KINDS) {
    const request = await requestOf(kind, { config: EVERY_MICROK8S, spec: MARKS });
    await expectPure(run, request);
    await expectOrderBlind(run, request);
    await expectNeverSmaller(run, request);
  }
});
