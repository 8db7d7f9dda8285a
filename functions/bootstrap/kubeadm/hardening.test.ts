/** What a reviewer looks for on a control plane: Secrets that etcd cannot read, and a log of who did what. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { aCluster } from '../../../test/support/claims.ts';
import {
  aBootstrappedCluster,
  type Bootstrapped,
  machineOf,
  machineRequest,
  MACHINES,
} from '../../../test/support/first-boot.ts';
import { replyOf } from '../../../test/support/function-laws.ts';
import { aRequest, type RequestParts } from '../../../test/support/request.ts';
import { run } from '../fn.ts';

const KEYS = ['ca', 'etcd-ca', 'proxy-ca', 'sa', 'token', 'encryption'];
const ABSENT = Object.fromEntries(KEYS.map((key) => [key, []]));
const spec = (config: JsonObject) => ({ bootstrap: { provider: 'kubeadm', config } });

async function planOf(cluster: Bootstrapped, kind: keyof typeof MACHINES, config: JsonObject = {}) {
  const machine = machineOf(kind, {}, config);
  const reply = await replyOf(run, machineRequest(cluster, machine));
  return reply.context[CONTEXT.bootstrapPlan] as unknown as ScriptedPlan;
}

const textOf = (secret: KubeObject | undefined): string =>
  Buffer.from(stringAt(secret, 'data', 'encryption.yaml') ?? '', 'base64').toString();
const fileIn = ({ files }: ScriptedPlan, path: string): string | undefined => {
  const found = files.find((file) => file.path === path);
  return found === undefined ? undefined : Buffer.from(found.content, 'base64').toString();
};
const starting = (config: JsonObject) => aBootstrappedCluster({ spec: spec(config), initialized: false });
const configuration = (plan: ScriptedPlan): string => fileIn(plan, '/etc/kubernetes/kubeadm.yaml') ?? '';

describe('Secrets in etcd', () => {
  const made = async (config: JsonObject, parts: Partial<RequestParts> = {}) =>
    replyOf(run, aRequest({ composite: aCluster({ spec: spec(config), status: {} }), required: ABSENT, ...parts }));
  const keyOf = (secret: KubeObject | undefined) => {
    const { resources } = parse(textOf(secret)) as {
      resources: { resources: string[]; providers: { secretbox?: { keys: { secret: string }[] } }[] }[];
    };
    return { resources, key: resources[0]?.providers[0]?.secretbox?.keys[0]?.secret ?? '' };
  };

  it('are encrypted with a key of the cluster, which is made once', async () => {
    const { resources, key } = keyOf((await made({})).resources.get('encryption')?.resource);
    expect(resources[0]?.resources).toEqual(['secrets']);
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(resources[0]?.providers.at(-1)).toEqual({ identity: {} });
  });

  it('are not if the claim says so when the cluster is created', async () => {
    expect((await made({ encryptSecrets: false })).resources.has('encryption')).toBe(false);
  });

  it('stay encrypted when the claim says otherwise later, because API servers must read what is there', async () => {
    const { cluster, secrets } = await aBootstrappedCluster({ spec: spec({}) });
    const claim = { ...cluster, spec: { ...cluster.spec, ...spec({ encryptSecrets: false }) } };
    const reply = await replyOf(run, aRequest({ composite: claim, observed: secrets }));
    expect(reply.resources.get('encryption')?.resource['data']).toEqual(secrets['encryption']?.['data']);
    const plan = await planOf({ cluster: claim, secrets }, 'control-plane', { encryptSecrets: false });
    expect(configuration(plan) + (fileIn(plan, '/etc/kubernetes/kubeadm-cluster.yaml') ?? '')).toContain(
      'encryption-provider-config',
    );
  });

  it('are left as they are in a cluster from before there was a key', async () => {
    const { cluster, secrets } = await aBootstrappedCluster({ spec: spec({ encryptSecrets: false }) });
    const claim = { ...cluster, spec: { ...cluster.spec, ...spec({}) } };
    const reply = await replyOf(run, aRequest({ composite: claim, observed: secrets, required: ABSENT }));
    expect(reply.resources.has('encryption')).toBe(false);
    const plan = await planOf({ cluster: claim, secrets }, 'control-plane');
    expect(JSON.stringify(plan.files.map(({ path }) => path))).not.toContain('encryption');
    expect(fileIn(plan, '/etc/kubernetes/kubeadm-cluster.yaml')).not.toContain('encryption-provider-config');
  });

  describe('in a cluster whose keys are handed over to a new Cluster', async () => {
    const { secrets } = await aBootstrappedCluster({ spec: spec({}) });
    const handed: Readonly<Record<string, KubeObject>> = Object.fromEntries(
      Object.entries(secrets).map(([key, { metadata, ...rest }]) => {
        const annotations = { 'slipway.dev/cluster-uid': 'cluster-uid' };
        return [key, { ...rest, metadata: { ...metadata, annotations } }];
      }),
    );
    const { encryption, ...keyless } = handed;
    const asked = (given: Readonly<Record<string, KubeObject>>) => ({
      ...ABSENT,
      ...Object.fromEntries(Object.entries(given).map(([key, secret]) => [key, [secret]])),
    });
    const { sa: _lost, ...withoutOne } = keyless;

    it.for([
      { name: 'before they are read', parts: { required: {} } },
      { name: 'when they are read', parts: { required: asked(keyless) } },
      { name: 'while one of them is made', parts: { required: asked(withoutOne) } },
      { name: 'once they belong to it', parts: { required: asked(keyless), observed: keyless } },
      { name: 'once they belong to it, before they are read', parts: { required: {}, observed: keyless } },
    ])('stay without a key if they had none, $name: its API servers could not read new ones', async ({ parts }) => {
      expect((await made({}, parts)).resources.has('encryption')).toBe(false);
    });

    it('and its machines are made without one', async () => {
      const { status } = await made({}, { required: asked(keyless) });
      const cluster = aCluster({ spec: spec({}), status: { ...aCluster().status, ...status } });
      const plan = await planOf({ cluster, secrets: keyless }, 'control-plane');
      expect(plan.files.length).toBeGreaterThan(0);
      expect(JSON.stringify(plan.files.map(({ path }) => path))).not.toContain('encryption');
    });

    it('keep their key if they had one, whatever the claim says', async () => {
      for (const config of [{}, { encryptSecrets: false }]) {
        const { resources } = await made(config, { required: asked(handed) });
        expect(resources.get('encryption')?.resource['data']).toEqual(encryption?.['data']);
      }
    });
  });

  it('have their key on control planes only, readable by root', async () => {
    const path = '/etc/kubernetes/pki/encryption.yaml';
    for (const kind of ['init', 'control-plane'] as const) {
      const cluster = await aBootstrappedCluster({ spec: spec({}), initialized: kind !== 'init' });
      const plan = await planOf(cluster, kind);
      expect(fileIn(plan, path)).toBe(textOf(cluster.secrets['encryption']));
      expect(plan.files.find((file) => file.path === path)?.mode).toBe('0600');
    }
    const cluster = await aBootstrappedCluster({ spec: spec({}) });
    expect(JSON.stringify((await planOf(cluster, 'worker')).files)).not.toContain('encryption');
  });
});

describe('the audit log', () => {
  const POLICY = '/etc/kubernetes/audit-policy.yaml';

  it('records who did what, and no contents: they would contain every Secret', async () => {
    const plan = await planOf(await starting({}), 'init');
    const { rules } = parse(fileIn(plan, POLICY) ?? '') as { rules: { level: string }[] };
    expect(new Set(rules.map(({ level }) => level))).toEqual(new Set(['None', 'Metadata']));
    expect(rules.at(-1)).toEqual({ level: 'Metadata' });
    expect(configuration(plan)).toContain('audit-log-path');
  });

  it('is the claim’s alone if it has a policy, a log or a webhook of its own', async () => {
    const config = { apiServer: { extraArgs: { 'audit-policy-file': '/etc/mine.yaml' } } };
    const plan = await planOf(await starting(config), 'init', config);
    expect(fileIn(plan, POLICY)).toBeUndefined();
    expect(configuration(plan)).not.toContain('audit-log-path');
  });

  it('is kept as long as the claim says', async () => {
    const config = { apiServer: { extraArgs: { 'audit-log-maxage': '90' } } };
    const plan = await planOf(await starting(config), 'init', config);
    expect(configuration(plan)).toMatch(/audit-log-maxage\n\s+value: "90"/);
    expect(fileIn(plan, POLICY)).toBeDefined();
  });
});

it('lets flags and kubelet settings of the claim take precedence over those of the benchmark', async () => {
  const config = { scheduler: { extraArgs: { profiling: 'true' } }, kubeletConfiguration: { podPidsLimit: 100 } };
  const text = configuration(await planOf(await starting(config), 'init', config));
  expect(text).toMatch(/scheduler:\n\s+extraArgs:\n\s+- name: profiling\n\s+value: "true"/);
  expect(text).toContain('podPidsLimit: 100');
  expect(text).toContain('seccompDefault: true');
});

describe('requests without a name', () => {
  const FILE = '/etc/kubernetes/authentication.yaml';
  const at = async (version: string, config: JsonObject = {}) => {
    const machine = machineOf('init', { version }, config);
    const cluster = await aBootstrappedCluster({ spec: { ...spec(config), version }, initialized: false });
    const reply = await replyOf(run, machineRequest(cluster, machine));
    return reply.context[CONTEXT.bootstrapPlan] as unknown as ScriptedPlan;
  };

  it('may ask for health and discover the cluster, and nothing else', async () => {
    const plan = await at('v1.35.4');
    const { apiVersion, anonymous } = parse(fileIn(plan, FILE) ?? '') as {
      apiVersion: string;
      anonymous: { conditions: { path: string }[] };
    };
    expect(apiVersion).toBe('apiserver.config.k8s.io/v1');
    expect(anonymous.conditions.map(({ path }) => path)).toEqual([
      '/healthz',
      '/livez',
      '/readyz',
      '/api/v1/namespaces/kube-public/configmaps/cluster-info',
      '/.well-known/openid-configuration',
      '/openid/v1/jwks',
    ]);
    expect(configuration(plan)).toMatch(new RegExp(`authentication-config\\n\\s+value: ${FILE}`));
    expect(configuration(plan)).toContain(`hostPath: ${FILE}`);
  });

  it('are limited from the version on that can, in its words', async () => {
    expect(fileIn(await at('v1.32.0'), FILE)).toContain('apiserver.config.k8s.io/v1beta1');
    const plan = await at('v1.31.0');
    expect(fileIn(plan, FILE)).toBeUndefined();
    expect(configuration(plan)).not.toContain('authentication-config');
  });

  it.for(['anonymous-auth', 'authentication-config', 'oidc-issuer-url'])(
    'are the claim’s alone if it sets %s',
    async (flag) => {
      const plan = await at('v1.35.4', { apiServer: { extraArgs: { [flag]: 'mine' } } });
      expect(fileIn(plan, FILE)).toBeUndefined();
      expect(configuration(plan)).not.toContain(FILE);
    },
  );
});

describe('NodeRestriction', () => {
  const plugins = async (extraArgs: JsonObject) => {
    const config = { apiServer: { extraArgs } };
    return /enable-admission-plugins\n\s+value: (?<value>.*)/.exec(
      configuration(await planOf(await starting(config), 'init', config)),
    )?.groups?.['value'];
  };

  it('stays when a claim asks for other plugins, because its flag replaces that of kubeadm', async () => {
    expect(await plugins({ 'enable-admission-plugins': 'AlwaysPullImages' })).toBe('NodeRestriction,AlwaysPullImages');
  });

  it('is kubeadm’s own without them, and the claim’s if it has it or disables it', async () => {
    expect(await plugins({})).toBeUndefined();
    const own = 'PodNodeSelector,NodeRestriction';
    expect(await plugins({ 'enable-admission-plugins': own })).toBe(own);
    const other = { 'enable-admission-plugins': 'A', 'disable-admission-plugins': 'NodeRestriction' };
    expect(await plugins(other)).toBe('A');
  });
});
