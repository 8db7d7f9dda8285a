import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';
import { CERTIFICATE } from '../../../test/support/everything.ts';
import { EVERY_K3S } from '../k3s/everything.fixture.ts';
import { EVERY_RKE2 } from '../rke2/everything.fixture.ts';
import {
  aBootstrappedCluster,
  type Bootstrapped,
  machineOf,
  machineRequest,
  type MACHINES,
} from '../../../test/support/first-boot.ts';
import { expectNeverSmaller, expectOrderBlind, expectPure, replyOf } from '../../../test/support/function-laws.ts';
import { run } from '../fn.ts';
import { K3sConfig } from '../k3s/config.ts';
import { masked } from '../masked.fixture.ts';
import { fileIn } from '../plans.fixture.ts';
import { Rke2Config } from '../rke2/config.ts';

type Provider = 'k3s' | 'rke2';
type Kind = keyof typeof MACHINES;
const PROVIDERS: readonly Provider[] = ['k3s', 'rke2'];
const KINDS: readonly Kind[] = ['init', 'control-plane', 'worker'];
const EVERY_MACHINE = PROVIDERS.flatMap((provider) => KINDS.map((kind) => ({ provider, kind })));
const EVERYTHING = { k3s: EVERY_K3S, rke2: EVERY_RKE2 };

/** With the fixed randomness of tests, all passwords are equal. */
const AGENT_TOKEN = 'a9e4'.repeat(8);

/** One cluster for each configuration, before and after it was initialized. */
const clusters = new Map<string, Promise<Bootstrapped>>();
function clusterOf(provider: Provider, config: JsonObject, initialized: boolean): Promise<Bootstrapped> {
  const key = JSON.stringify([provider, config, initialized]);
  const found = clusters.get(key) ?? newCluster(provider, config, initialized);
  clusters.set(key, found);
  return found;
}

async function newCluster(provider: Provider, config: JsonObject, initialized: boolean): Promise<Bootstrapped> {
  const made = await aBootstrappedCluster({ spec: { bootstrap: { provider, config } }, initialized });
  const agents = { ...made.secrets['agent-token']!, data: { value: Buffer.from(AGENT_TOKEN).toString('base64') } };
  return { ...made, secrets: { ...made.secrets, 'agent-token': agents } };
}

interface Wanted {
  readonly spec?: JsonObject;
  readonly config?: JsonObject;
}

async function requestOf(provider: Provider, kind: Kind, { spec, config = {} }: Wanted = {}) {
  const cluster = await clusterOf(provider, config, kind !== 'init');
  return machineRequest(cluster, machineOf(kind, spec, config, provider));
}

async function planOf(provider: Provider, kind: Kind, wanted?: Wanted): Promise<ScriptedPlan> {
  const reply = await replyOf(run, await requestOf(provider, kind, wanted));
  return ScriptedPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
}

function settingsIn(plan: ScriptedPlan): JsonObject {
  return parse(fileIn(plan, `/etc/rancher/${plan.provider}/config.yaml`) ?? '', { version: '1.1' }) as JsonObject;
}

const secretOf = async (provider: Provider, key: string, field: string) => {
  const { secrets } = await clusterOf(provider, {}, true);
  const data = secrets[key]?.['data'] as Readonly<Record<string, string>>;
  return Buffer.from(data[field] ?? '', 'base64').toString();
};

describe('what a machine receives', () => {
  test.for(EVERY_MACHINE)('$provider: $kind', async ({ provider, kind }) => {
    await expect(masked(await planOf(provider, kind))).toMatchFileSnapshot(`golden/${provider}-${kind}.yaml`);
  });

  test.for(EVERY_MACHINE)('$provider: $kind, with everything a claim can say', async ({ provider, kind }) => {
    const spec = {
      labels: { 'example.com/team': 'blue', 'node-role.kubernetes.io/worker': '' },
      taints: [
        { key: 'dedicated', value: 'blue', effect: 'NoSchedule' },
        { key: 'new', effect: 'NoExecute' },
      ],
      provisioning: {
        proxy: { http: 'http://proxy.example.com:3128', https: 'http://proxy.example.com:3128', none: ['example.org'] },
        registries: [
          { host: 'docker.io', mirrors: ['https://mirror.example.com'], caCertificate: CERTIFICATE },
          { host: 'ghcr.io', mirrors: ['https://a.example.com', 'http://b.example.com:5000'] },
        ],
      },
    };
    const plan = await planOf(provider, kind, { spec, config: EVERYTHING[provider] });
    await expect(masked(plan)).toMatchFileSnapshot(`golden/${provider}-${kind}-everything.yaml`);
  });

  test.for(EVERY_MACHINE)('$provider: $kind: keys and tokens are readable by root only', async ({ provider, kind }) => {
    const { files, commands } = await planOf(provider, kind);
    const secret = files.filter(({ path }) => /\.key$|config\.yaml$/.test(path));
    expect(new Set(secret.map(({ mode }) => mode))).toEqual(new Set(['0600']));
    expect(new Set(files.map(({ owner }) => owner))).toEqual(new Set(['root:root']));
    expect(secret.filter(({ path }) => path.endsWith('.key')).length > 0, 'only the first machine has keys').toBe(
      kind === 'init',
    );
    expect(JSON.stringify(commands)).not.toMatch(/\b[0-9a-f]{32}\b/);
  });

  test.for([
    { provider: 'k3s', config: K3sConfig },
    { provider: 'rke2', config: Rke2Config },
  ] as const)('every field of the configuration of $provider changes what some machine receives', async (given) => {
    const { provider, config } = given;
    const every = EVERYTHING[provider];
    expect(Object.keys(every).toSorted()).toEqual(Object.keys(config.shape).toSorted());
    const [all, none] = await Promise.all([every, {}].map((one) => planOf(provider, 'init', { config: one })));
    const [configured, plain] = [settingsIn(all!), settingsIn(none!)];
    const own = new Set(['release', 'install', 'installer', 'cloudProvider', 'encryptionAlgorithm']);
    for (const key of Object.keys(every).filter((one) => !own.has(one))) {
      expect(plain[key], key).not.toEqual(configured[key]);
      expect(JSON.stringify(configured[key]), key).toContain(JSON.stringify(every[key]).replaceAll(/^\[|\]$/g, ''));
    }
    expect(all!.commands.pre.join('\n')).toContain(`v1.35.4+${stringAt(every, 'release')}`);
  });

  test('agents have no key of servers', async () => {
    for (const provider of PROVIDERS) {
      const configured = settingsIn(await planOf(provider, 'worker', { config: EVERYTHING[provider] }));
      expect(
        Object.keys(configured).filter((key) => /^(etcd|cluster|service|tls|disable$|agent|kube-api)/.test(key)),
      ).toEqual([]);
    }
  });
});

describe('how machines know their cluster', () => {
  test.for(PROVIDERS)(
    '%s: joining machines pin the exact text of the authority; their token depends on their role',
    async (provider) => {
      const hash = sha256(await secretOf(provider, 'ca', 'tls.crt'));
      const server = await secretOf(provider, 'token', 'value');
      expect(server).toMatch(/^[0-9a-f]{32}$/);
      expect(settingsIn(await planOf(provider, 'control-plane'))).toMatchObject({
        token: `K10${hash}::server:${server}`,
        'agent-token': AGENT_TOKEN,
      });
      const worker = await planOf(provider, 'worker');
      expect(settingsIn(worker)['token']).toBe(`K10${hash}::node:${AGENT_TOKEN}`);
      for (const { content } of worker.files)
        expect(Buffer.from(content, 'base64').toString(), 'with it every key could be read').not.toContain(server);
    },
  );

  test.for([
    { provider: 'k3s' as const, server: 'https://api.example.com:6443', start: true },
    { provider: 'rke2' as const, server: 'https://api.example.com:9345', start: undefined },
  ])('$provider: one machine starts the cluster, the others join at $server', async ({ provider, server, start }) => {
    const first = settingsIn(await planOf(provider, 'init'));
    expect(first).toMatchObject({ 'tls-san': ['api.example.com'] });
    expect([first['server'], first['cluster-init']]).toEqual([undefined, start]);
    for (const kind of ['control-plane', 'worker'] as const) {
      const joined = settingsIn(await planOf(provider, kind));
      expect([joined['server'], joined['cluster-init']]).toEqual([server, undefined]);
    }
  });

  test.for(PROVIDERS)('%s: the first machine needs no hash, because the authority is its own', async (provider) => {
    expect(settingsIn(await planOf(provider, 'init'))['token']).toMatch(/^[0-9a-f]{32}$/);
  });

  test.for(EVERY_MACHINE)('$provider: $kind requests just what it needs', async ({ provider, kind }) => {
    const reply = await replyOf(run, await requestOf(provider, kind));
    const all = ['cluster', 'ca', 'client-ca', 'proxy-ca', 'etcd-ca', 'etcd-peer-ca', 'sa', 'token', 'agent-token'];
    const asks = {
      init: all,
      'control-plane': ['cluster', 'ca', 'token', 'agent-token'],
      worker: ['cluster', 'ca', 'agent-token'],
    };
    expect([...reply.requirements.keys()]).toEqual(asks[kind]);
  });

  test('the first server receives authorities, each with its own key', async () => {
    const plan = await planOf('k3s', 'init');
    const folder = '/var/lib/rancher/k3s/server/tls';
    const names = ['server-ca', 'client-ca', 'request-header-ca', 'etcd/server-ca', 'etcd/peer-ca'];
    const found = names.map((name) => new X509Certificate(fileIn(plan, `${folder}/${name}.crt`) ?? ''));
    expect(found.every(({ ca }) => ca)).toBe(true);
    expect(new Set(found.map(({ fingerprint256 }) => fingerprint256)).size).toBe(names.length);
    expect(fileIn(plan, `${folder}/service.key`)).toContain('BEGIN RSA PRIVATE KEY');
  });
});

describe('how a node registers', () => {
  test.for(PROVIDERS)('%s: with name, provider id, labels and taints', async (provider) => {
    const spec = {
      labels: { b: '2', a: '1', 'node-role.kubernetes.io/x': '' },
      taints: [{ key: 'k', effect: 'NoExecute' }],
    };
    const plan = await planOf(provider, 'worker', { spec });
    expect(settingsIn(plan)).toMatchObject({
      'node-name': 'prod-worker-0-aaaaa',
      'node-label': ['a=1', 'b=2'],
      'node-taint': ['k=:NoExecute'],
    });
    expect(settingsIn(plan)['kubelet-arg']).toContain('provider-id=aws:///${failureDomain}/${instanceId}');
    expect(plan.files.filter(({ instanceVariables }) => instanceVariables).map(({ path }) => path)).toEqual([
      `/etc/rancher/${provider}/config.yaml`,
    ]);
  });

  const cloud = ['cloud-provider-name', 'disable-cloud-controller', 'disable', 'kubelet-arg'];
  test.for([
    {
      provider: 'k3s' as const,
      kind: 'init' as const,
      want: [undefined, true, ['servicelb', 'traefik'], 'cloud-provider=external'],
    },
    {
      provider: 'k3s' as const,
      kind: 'worker' as const,
      want: [undefined, undefined, undefined, 'cloud-provider=external'],
    },
    { provider: 'rke2' as const, kind: 'init' as const, want: ['external', true, ['traefik'], undefined] },
    { provider: 'rke2' as const, kind: 'worker' as const, want: ['external', undefined, undefined, undefined] },
  ])('$provider: $kind leaves the cloud to the cloud controller manager', async ({ provider, kind, want }) => {
    const config = { disable: ['traefik'] };
    const configured = settingsIn(await planOf(provider, kind, { config }));
    const flag = (configured['kubelet-arg'] as readonly string[]).find((one) => one.startsWith('cloud-provider'));
    expect([...cloud.slice(0, 3).map((key) => configured[key]), flag]).toEqual(want);
    const alone = settingsIn(await planOf(provider, kind, { config: { ...config, cloudProvider: 'none' } }));
    expect(cloud.slice(0, 2).map((key) => alone[key])).toEqual([undefined, undefined]);
    expect(JSON.stringify(alone)).not.toContain('cloud-provider');
  });
});

describe('how it is installed', () => {
  test('with the official script as a file, verified before it runs, with the exact version', async () => {
    const { commands } = await planOf('rke2', 'worker', { config: { installer: { sha256: '0'.repeat(64) } } });
    expect(commands.pre).toEqual([
      'mkdir -p /var/lib/slipway',
      "curl -fsSL --retry 5 --retry-connrefused -o /var/lib/slipway/install-rke2.sh 'https://get.rke2.io'",
      `echo '${'0'.repeat(64)}  /var/lib/slipway/install-rke2.sh' | sha256sum -c -`,
      'INSTALL_RKE2_VERSION=v1.35.4+rke2r1 INSTALL_RKE2_TYPE=agent sh /var/lib/slipway/install-rke2.sh',
    ]);
  });

  test.for([
    {
      provider: 'k3s' as const,
      adopts: [expect.stringMatching(/^INSTALL_K3S_SKIP_DOWNLOAD=true .*EXEC=agent sh \/opt\/install\.sh$/)],
    },
    { provider: 'rke2' as const, adopts: [] },
  ])(
    '$provider in the image: nothing is downloaded, and a machine with another version does not become a node',
    async ({ provider, adopts }) => {
      const { commands } = await planOf(provider, 'worker', { config: { install: 'Skip' } });
      const [check, ...rest] = commands.pre;
      expect(check).toContain(`${provider} --version | grep -F '${provider} version v1.35.4+`);
      expect(rest).toEqual(adopts);
      expect(JSON.stringify(commands)).not.toContain('curl');
    },
  );

  test.for(PROVIDERS)(
    '%s with a proxy: its service uses it, with the addresses that the cluster reaches without it',
    async (provider) => {
      const spec = { provisioning: { proxy: { https: 'http://proxy.example.com:3128' } } };
      const plan = await planOf(provider, 'worker', { spec });
      const text = fileIn(plan, `/etc/systemd/system/${provider}-agent.service.d/90-slipway-proxy.conf`);
      expect(text).toContain('"HTTPS_PROXY=http://proxy.example.com:3128"');
      expect(text).toMatch(/"NO_PROXY=localhost,[^"]*10\.244\.0\.0\/16[^"]*api\.example\.com"/);
      expect(plan.noProxy).toContain('api.example.com');
    },
  );
});

describe('what a hardened node needs on its host, without which its service does not start', () => {
  const FILE = /^\/etc\/sysctl\.d\/50-slipway-/;
  const kernelOf = ({ files }: ScriptedPlan) =>
    files.filter(({ path }) => FILE.test(path)).map(({ content }) => Buffer.from(content, 'base64').toString());
  const KERNEL = ['kernel.panic = 10\nkernel.panic_on_oops = 1\nvm.overcommit_memory = 1\nvm.panic_on_oom = 0\n'];

  test.for<[Provider, Kind, JsonObject, { readonly kernel: boolean; readonly user: boolean }]>([
    ['rke2', 'init', { profile: 'cis' }, { kernel: true, user: true }],
    ['rke2', 'control-plane', { profile: 'cis' }, { kernel: true, user: true }],
    ['rke2', 'worker', { profile: 'cis' }, { kernel: true, user: false }],
    ['rke2', 'init', { profile: 'etcd' }, { kernel: false, user: true }],
    ['rke2', 'init', {}, { kernel: false, user: false }],
    ['rke2', 'worker', { 'protect-kernel-defaults': true }, { kernel: true, user: false }],
    ['k3s', 'init', { 'protect-kernel-defaults': true }, { kernel: true, user: false }],
    ['k3s', 'init', {}, { kernel: false, user: false }],
  ])('%s, %s: %j', async ([provider, kind, config, { kernel, user }]) => {
    const plan = await planOf(provider, kind, { config });
    expect(kernelOf(plan)).toEqual(kernel ? KERNEL : []);
    const commands = plan.commands.pre.join('\n');
    expect(commands.includes(`sysctl -q -p /etc/sysctl.d/50-slipway-${provider}.conf`)).toBe(kernel);
    expect(/^getent passwd etcd .*useradd/m.test(commands)).toBe(user);
  });
});

test('the laws hold for every machine, whatever is missing', async () => {
  for (const { provider, kind } of EVERY_MACHINE) {
    const request = await requestOf(provider, kind, { config: EVERYTHING[provider] });
    await expectPure(run, request);
    await expectOrderBlind(run, request);
    await expectNeverSmaller(run, request);
  }
});
