/** Scripts for nodes that exist: what each bootstrapper brings to them, and what the step waits for. */
import { describe, expect, test } from 'vitest';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { parseAs } from '#lib/api/parse.ts';
import { aMachine } from '../../test/support/claims.ts';
import { factsFor } from '../../test/support/cluster-facts.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { aRequest } from '../../test/support/request.ts';
import { run } from './fn.ts';
import { readKubeadmConfig } from './kubeadm/config.ts';
import { kubeletPatches } from './kubeadm/patches.ts';
import { plansOf } from './plans.fixture.ts';

const PAYLOAD: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } };
const MIRROR: JsonObject = { host: 'docker.io', mirrors: ['https://mirror.example.com'] };
const FROM: JsonObject = { secret: { name: 'mirror-user', key: 'value' } };

interface Case {
  readonly provider: string;
  readonly fields: readonly string[];
  readonly spec?: JsonObject;
  readonly config?: JsonObject;
  readonly required?: Readonly<Record<string, KubeObject[]>>;
  /** Whether the Cluster can be read. */
  readonly isAlone?: boolean;
  readonly phase?: string;
}

/** What is handed on for a worker that exists. */
async function handedOn({ provider, fields, spec = {}, config = {}, required = {}, isAlone = false, phase }: Case) {
  const plans = plansOf(provider);
  const { cluster } = await plans.clusterOf({ config });
  const updaters = [
    { name: 'node-configuration', runsOn: 'Node', disruptive: false, timeout: '10m', fields: [...fields] },
  ];
  const composite = plans.machine('worker', config, {
    ...spec,
    update: { id: 'fa4e', disruptive: false, updaters },
  });
  const status = phase === undefined ? {} : { status: { update: { id: 'fa4e', phase } } };
  const reply = await replyOf(
    run,
    aRequest({
      composite: { ...composite, ...status },
      observed: { payload: PAYLOAD },
      required: { ...(isAlone ? {} : { cluster: [cluster] }), ...required },
    }),
  );
  return { handed: at(reply.context, 'slipway.dev/node-update'), requires: [...reply.requirements.keys()] };
}

const scriptOf = async (one: Case): Promise<string> => {
  const { handed } = await handedOn(one);
  const scripts = at(handed, 'scripts');
  return (Array.isArray(scripts) ? scripts : []).map((script) => stringAt(script, 'script') ?? '').join('');
};

describe('mirrors of registries on a node that exists', () => {
  const fields = ['spec.provisioning.registries'];
  const spec = { provisioning: { format: 'cloud-init', registries: [MIRROR] } };
  test.for([
    { provider: 'kubeadm', file: '/etc/containerd/certs.d/docker.io/hosts.toml', restarts: undefined },
    { provider: 'nodeadm', file: '/etc/containerd/certs.d/docker.io/hosts.toml', restarts: undefined },
    { provider: 'canonical-kubernetes', file: '/etc/containerd/hosts.d/docker.io/hosts.toml', restarts: undefined },
    { provider: 'microk8s', file: '/var/snap/microk8s/current/args/certs.d/docker.io/hosts.toml', restarts: undefined },
    { provider: 'k0s', file: '/etc/k0s/containerd.d/slipway.toml', restarts: 'k0sworker' },
    { provider: 'k3s', file: '/etc/rancher/k3s/registries.yaml', restarts: 'k3s-agent' },
    { provider: 'rke2', file: '/etc/rancher/rke2/registries.yaml', restarts: 'rke2-agent' },
  ])('are where the first boot of $provider puts them', async ({ provider, file, restarts }) => {
    const config = INSTALLED[provider] ?? {};
    const script = await scriptOf({ provider, fields, spec, config });
    expect(script).toContain(`bring ${file} `);
    expect(script).toContain('https://mirror.example.com');
    expect(/systemctl restart (\S+)\.service/.exec(script)?.[1]).toBe(restarts);
  });

  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'mirror-user', namespace: 'team-a', labels: { 'slipway.dev/cluster': 'prod' } },
    data: { value: Buffer.from('user:fake').toString('base64') },
  };
  const withUser = { provisioning: { format: 'cloud-init', registries: [{ ...MIRROR, credentialsFrom: FROM }] } };

  test('have the user and the password of their Secret', async () => {
    const required = { 'secret-mirror-user': [secret] };
    const script = await scriptOf({ provider: 'kubeadm', fields, spec: withUser, required });
    expect(script).toContain(`Basic ${Buffer.from('user:fake').toString('base64')}`);
  });

  test('wait for that Secret before the update begins', async () => {
    const { handed } = await handedOn({
      provider: 'kubeadm',
      fields,
      spec: withUser,
      required: { 'secret-mirror-user': [] },
    });
    expect(handed).toEqual({
      contract: 1,
      id: 'fa4e',
      scripts: [],
      waiting: { bootstrap: 'waiting for Secret "team-a/mirror-user"' },
    });
  });

  test('and their Secret are nothing to an update of other fields', async () => {
    const { handed, requires } = await handedOn({ provider: 'kubeadm', fields: ['spec.version'], spec: withUser });
    expect(at(handed, 'waiting')).toBeUndefined();
    expect(requires).not.toContain('secret-mirror-user');
  });
});

describe('settings of the kubelet on a node that exists', () => {
  test('are the patches that kubeadm lays over those of the cluster, and set no driver of control groups', async () => {
    const fields = ['spec.bootstrap.config.kubeletConfiguration.maxPods'];
    const config = { kubeletConfiguration: { maxPods: 60 } };
    const script = await scriptOf({ provider: 'kubeadm', fields, config });
    expect(script).toContain(
      `bring /etc/kubernetes/patches/kubeletconfiguration00+merge.json 0644 '{"maxPods":60}\n'\n`,
    );
    expect(script).not.toContain('cgroup');
  });

  test('leave out what a node keeps for its life, also where the Cluster has it by now', () => {
    const settings = { cgroupDriver: 'systemd', cpuManagerPolicy: 'static', maxOpenFiles: 20_000 };
    const [ofCluster, ofPool] = kubeletPatches({
      machine: parseAs(Machine, aMachine({ spec: { version: 'v1.35.4' } }), 'it'),
      config: readKubeadmConfig({ kubeletConfiguration: { maxPods: 60 } }, 'it'),
      clusterConfig: readKubeadmConfig({ kubeletConfiguration: settings }, 'it'),
      owner: 'it',
    }).map(({ text }): unknown => JSON.parse(text));
    expect([ofCluster, ofPool]).toEqual([{ maxOpenFiles: 20_000 }, { maxPods: 60 }]);
  });
});

test('an update waits for the Cluster before it begins', async () => {
  const { handed } = await handedOn({ provider: 'kubeadm', fields: ['spec.version'], isAlone: true });
  expect(handed).toMatchObject({ scripts: [], waiting: { bootstrap: 'waiting for Cluster "team-a/prod"' } });
});

test('a step that is called again with what it wrote, and then has the Cluster, waits no more', async () => {
  const plans = plansOf('kubeadm');
  const { cluster } = await plans.clusterOf();
  const updaters = [{ name: 'a', runsOn: 'Node', disruptive: false, timeout: '1m', fields: ['spec.version'] }];
  const composite = plans.machine('worker', {}, { update: { id: 'fa4e', disruptive: false, updaters } });
  const first = aRequest({ composite, observed: { payload: PAYLOAD } });
  const { context } = await replyOf(run, first);
  const again = await replyOf(run, { ...first, context, required: new Map([['cluster', [factsFor(cluster)]]]) });
  expect(at(again.context, 'slipway.dev/node-update')).toMatchObject({ scripts: [{ updater: 'a' }] });
  expect(at(again.context, 'slipway.dev/node-update', 'waiting')).toBeUndefined();
});

test('an update that has ended needs no script any more', async () => {
  const { handed, requires } = await handedOn({ provider: 'kubeadm', fields: ['spec.version'], phase: 'Succeeded' });
  expect(handed).toBeUndefined();
  expect(requires).not.toContain('cluster');
});

const SHA256 = 'a'.repeat(64);
/** What a claim has to say where programs are downloaded. */
const INSTALLED: Readonly<Record<string, JsonObject>> = {
  k3s: { installer: { sha256: SHA256 } },
  rke2: { installer: { sha256: SHA256 } },
  k0s: { download: { sha256: { amd64: SHA256 } } },
};
