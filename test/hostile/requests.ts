/**
 * Valid requests for each function, from which hostile ones are made. Every field for a secret has one that can be
 * recognised wherever it appears.
 */
import type { JsonObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import * as addOns from '../../functions/addons/addons.fixture.ts';
import { run as addons } from '../../functions/addons/fn.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import * as clusters from '../../functions/cluster/cluster.fixture.ts';
import { run as cluster } from '../../functions/cluster/fn.ts';
import { run as inPlaceUpdate } from '../../functions/in-place-update/fn.ts';
import { run as machine } from '../../functions/machine/fn.ts';
import * as machines from '../../functions/machine/machine.fixture.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';
import * as pools from '../../functions/nodepool/pool.fixture.ts';
import { run as provisioning } from '../../functions/provisioning/fn.ts';
import { aNodeadmPlan, aPlan, aPlanFile, aRenderRequest } from '../../functions/provisioning/plan.fixture.ts';
import { afterFirst } from '../sim/releases.ts';
import { AWS } from '../sim/flavours.ts';
import { aNodePool } from '../support/claims.ts';
import { aBootstrappedCluster, machineOf, machineRequest } from '../support/first-boot.ts';
import { replyOf } from '../support/function-laws.ts';
import { aRequest } from '../support/request.ts';

/** What no answer outside of Secrets and first-boot data, no message and no log may contain. */
export const HUSH = 'hush-fake-0451';

/** Also as the data of Secrets and files have it. */
export const HUSHED = [HUSH, Buffer.from(HUSH).toString('base64').replace(/=+$/, '').slice(0, -1)] as const;

/** What is before the secret has a multiple of three bytes, so that its base64 is found as well. */
const UNIT = `[Service]\n# ${HUSH}`;

const PROVISIONING: JsonObject = {
  files: [{ path: '/etc/app', content: HUSH }],
  users: [{ name: 'app', passwordHash: `$6$fake$${HUSH}` }],
  commands: { pre: [`echo ${HUSH}`], post: [HUSH] },
  units: [{ name: 'a.service', contents: UNIT, dropIns: [{ name: 'a.conf', contents: UNIT }] }],
  proxy: { http: `http://me:${HUSH}@proxy:3128`, none: ['.example.com'] },
  sysctls: { 'vm.swappiness': '0' },
  ntp: { servers: ['time.example.com'] },
  mounts: [{ device: 'LABEL=data', path: '/var/lib/data' }],
};

const SHAPE: JsonObject = {
  class: 'standard-4',
  image: 'ubuntu-24.04',
  rootDisk: { sizeGiB: 40, type: 'gp3', encrypted: true },
};

async function ofCluster(): Promise<readonly Request[]> {
  const spec = { provisioning: PROVISIONING, deletionProtection: true };
  const { claim, reply } = await clusters.settled(clusters.aClaim(spec));
  const input = clusters.anInput();
  return [
    aRequest({ composite: clusters.aClaim(spec), input }),
    aRequest({ composite: claim, input, observed: clusters.observe(reply) }),
    aRequest({ composite: clusters.aClaim({ ...spec, ...clusters.existing() }), input }),
  ];
}

async function ofMachine(): Promise<readonly Request[]> {
  const parts = {
    machine: machines.aMachine({ machine: SHAPE, provisioning: PROVISIONING, labels: { team: 'a' } }),
    context: machines.aPayload(`#cloud-config\nhostname: ${HUSH}\n`),
  };
  return [machines.situation(parts), await machines.lived(machines.WORLD.registered, parts)];
}

const poolSpec: JsonObject = {
  machine: { ...SHAPE, zones: ['eu-west-1a'] },
  provisioning: PROVISIONING,
  labels: { team: 'a' },
  taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
  health: { nodeStartupTimeout: '20m', maxUnhealthy: '50%' },
  update: { maxSurge: '25%', maxUnavailable: 1 },
};

async function grownPool(change: JsonObject = {}): Promise<Request> {
  const pool = aNodePool({ spec: poolSpec });
  const made = await pools.made(pool);
  return pools.request({ pool: aNodePool({ spec: { ...poolSpec, ...change } }), machines: made });
}

async function ofNodePool(): Promise<readonly Request[]> {
  const machineList = await pools.grown(3);
  return [
    pools.request({ pool: aNodePool({ spec: poolSpec }) }),
    await grownPool(),
    await grownPool({ replicas: 2 }),
    pools.request({ pool: aNodePool(), machines: pools.but(machineList, { 1: pools.lost() }) }),
  ];
}

async function ofUpdate(): Promise<readonly Request[]> {
  const requests = [await grownPool({ labels: { team: 'b' } }), await grownPool({ machine: { class: 'standard-8' } })];
  return Promise.all(requests.map(async (one) => afterFirst(one, await replyOf(nodepool, one), AWS.rules)));
}

async function ofBootstrap(): Promise<readonly Request[]> {
  const each = await Promise.all(
    ['kubeadm', 'k0s', 'rke2', 'talos'].map(async (provider) => {
      const spec = { bootstrap: { provider }, provisioning: PROVISIONING };
      const version = provider === 'rke2' ? { version: 'v1.35.4' } : {};
      const made = await aBootstrappedCluster({ spec: { ...spec, ...version } });
      const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'BootstrapInput' };
      const first = aRequest({ composite: made.cluster, observed: made.secrets, input });
      const observed = Object.fromEntries(
        [...(await replyOf(bootstrap, first)).resources].map(([key, { resource }]) => [key, resource]),
      );
      return [
        machineRequest(made, machineOf('control-plane', { provisioning: PROVISIONING }, {}, provider)),
        machineRequest(made, machineOf('worker', { provisioning: PROVISIONING }, {}, provider)),
        aRequest({ composite: made.cluster, observed, input }),
      ];
    }),
  );
  return each.flat();
}

async function ofProvisioning(): Promise<readonly Request[]> {
  const plan = aPlan({
    files: [aPlanFile('/etc/kubernetes/kubeadm.yaml', HUSH)],
    units: [{ name: 'b.service', contents: HUSH, enabled: true }],
    commands: { pre: [HUSH], bootstrap: [`kubeadm join --token ${HUSH}`], post: [] },
    removeAfterBootstrap: ['/etc/kubernetes/kubeadm.yaml'],
  });
  const { mounts: _mounts, ...others } = PROVISIONING;
  const { users: _users, commands: _commands, proxy: _proxy, ...nodeadm } = others;
  // Values of Secrets are only read for the Cluster.
  const { required } = machineRequest(await aBootstrappedCluster(), machineOf('worker'));
  return [
    aRenderRequest(PROVISIONING, plan),
    aRenderRequest({ ...others, format: 'ignition' }, plan),
    aRenderRequest({ ...nodeadm, format: 'nodeadm' }, aNodeadmPlan()),
  ].map((request) => ({ ...request, required }));
}

async function ofAddOns(): Promise<readonly Request[]> {
  const fromConfigMap = { name: 'from', manifests: { configMap: { name: 'quota', key: 'all.yaml' } } };
  const chart = addOns.CHART['chart'] as JsonObject;
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'values', namespace: 'team-a', labels: { 'slipway.dev/cluster': 'prod' } },
    data: { key: Buffer.from(HUSH).toString('base64') },
  };
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'quota', namespace: 'team-a' },
    data: { 'all.yaml': '{apiVersion: v1, kind: Namespace, metadata: {name: apps}}' },
  };
  const parts = {
    addons: [
      {
        ...addOns.CHART,
        policy: 'Delete',
        chart: { ...chart, valuesFrom: [{ secret: { name: 'values', key: 'key' } }] },
      },
      addOns.MANIFESTS,
      fromConfigMap,
    ],
    input: { defaults: [addOns.NETWORK] },
    status: { addons: { defaults: 'Installed', version: 'v1.35.4' } },
    required: { 'addon-secret-values': [secret], 'addon-configmap-quota': [configMap] },
  };
  const observed = addOns.applied(await addOns.call(parts));
  return [
    addOns.request({ ...parts, stage: 'None' }),
    addOns.request(parts),
    addOns.request({ ...parts, observed }),
    addOns.request({ ...parts, addons: [addOns.MANIFESTS], observed }),
  ];
}

/** By the name of the function. */
export const SUBJECTS: Readonly<
  Record<
    string,
    { readonly run: CompositionFunction; readonly valid: () => Promise<readonly Request[]> | readonly Request[] }
  >
> = {
  addons: { run: addons, valid: ofAddOns },
  bootstrap: { run: bootstrap, valid: ofBootstrap },
  cluster: { run: cluster, valid: ofCluster },
  'in-place-update': { run: inPlaceUpdate, valid: ofUpdate },
  machine: { run: machine, valid: ofMachine },
  nodepool: { run: nodepool, valid: ofNodePool },
  provisioning: { run: provisioning, valid: ofProvisioning },
};

/** First-boot data is made of secrets: later steps get it, and nobody stores it. */
export const SEALED_CONTEXT: ReadonlySet<string> = new Set([
  CONTEXT.acceptedSpec,
  CONTEXT.bootstrapPlan,
  CONTEXT.payload,
]);

export type Reply = ReplyData;
