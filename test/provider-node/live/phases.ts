/**
 * Each phase of a WorkloadNode in which something outside holds it, so that anything may happen meanwhile, for as long as
 * it takes: nothing here has a limit in time.
 */
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import { LEAVE_ANNOTATIONS } from '#lib/node/members.ts';
import { NAMESPACE as UPDATERS } from '../../../controllers/node/updates/pod.ts';
import { NAMESPACE } from '../scene.ts';
import type { MachineSettings, World } from './world.ts';
import { podRef, refTo } from './world.ts';

export interface Phase {
  readonly name: string;
  readonly condition: string;
  readonly reason: string;
  /** Brings a machine of this name there. */
  begin(world: World, name: string): Promise<void>;
  /** Takes away what holds it. */
  release(world: World, name: string): Promise<void>;
  /** Pods that are evicted from it, each once. */
  readonly evicted: readonly string[];
}

const VOLUMES = { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment' } as const;
const BUDGETS = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', namespace: 'default' } as const;

const NODES = { apiVersion: 'v1', kind: 'Node' } as const;
const ETCD = { 'node-role.kubernetes.io/etcd': 'true' };
/** Names of Nodes that stay members of the store. */
const PEERS = ['peer-1', 'peer-2'];
const DRAIN = { timeout: '0s', volumeDetachTimeout: '0s' };

async function aMachine(world: World, name: string, settings: MachineSettings = {}): Promise<void> {
  await world.machine(name, { ...settings, spec: { drain: DRAIN, ...settings.spec } });
}

async function busy(world: World, name: string, settings: MachineSettings = {}): Promise<void> {
  await aMachine(world, name, settings);
  await world.pod(`${name}-web`, name);
  await world.says(name, 'Ready', 'Available');
  await world.delete(name);
}

/** A pod whose budget never lets it go. */
async function guarded(world: World, name: string): Promise<void> {
  const labels = { app: name };
  const spec = { minAvailable: 1, selector: { matchLabels: labels } };
  await world.workload.api.apply({
    apiVersion: BUDGETS.apiVersion,
    kind: BUDGETS.kind,
    metadata: { name, namespace: BUDGETS.namespace },
    spec,
  });
  await world.pod(`${name}-web`, name, { labels });
}

async function updated(world: World, name: string, update: JsonObject): Promise<void> {
  const spec = { update: { id: 'one', timeout: '100h', ...update } };
  await world.management.patch(refTo(name), { spec });
}

async function endUpdated(world: World, name: string): Promise<void> {
  await world.says(name, 'Updated', 'Succeeded');
  await world.says(name, 'Ready', 'Available');
  await world.delete(name);
}

function hooked(point: 'pre-drain' | 'pre-terminate'): Phase {
  const annotation = `${point}.hooks.slipway.dev/test`;
  return {
    name: point,
    condition: 'Drained',
    reason: 'WaitingForHook',
    begin: (world, name) => busy(world, name, { metadata: { annotations: { [annotation]: 'yes' } } }),
    release: async (world, name) => {
      await world.management.patch(refTo(name), { metadata: { annotations: { [annotation]: null } } });
    },
    evicted: ['web'],
  };
}

export const PHASES: readonly Phase[] = [
  hooked('pre-drain'),
  {
    name: 'ending',
    condition: 'Drained',
    reason: 'Draining',
    begin: async (world, name) => {
      await aMachine(world, name);
      await world.pod(`${name}-slow`, name, { isHeld: true });
      await world.pod(`${name}-web`, name);
      await world.says(name, 'Ready', 'Available');
      await world.delete(name);
    },
    release: (world, name) => world.free(`${name}-slow`),
    evicted: ['slow', 'web'],
  },
  {
    name: 'budget',
    condition: 'Drained',
    reason: 'BlockedByBudget',
    begin: async (world, name) => {
      await aMachine(world, name);
      await guarded(world, name);
      await world.says(name, 'Ready', 'Available');
      await world.delete(name);
    },
    release: (world, name) => world.workload.api.delete({ ...BUDGETS, name }),
    evicted: ['web'],
  },
  {
    name: 'volumes',
    condition: 'Drained',
    reason: 'WaitingForVolumes',
    begin: async (world, name) => {
      await world.workload.api.apply({
        ...VOLUMES,
        metadata: { name },
        spec: { attacher: 'csi.example.com', nodeName: name, source: { persistentVolumeName: name } },
      });
      await busy(world, name);
    },
    release: (world, name) => world.workload.api.delete({ ...VOLUMES, name }),
    evicted: ['web'],
  },
  hooked('pre-terminate'),
  {
    name: 'leaving',
    condition: 'MembershipLeft',
    reason: 'Waiting',
    begin: async (world, name) => {
      for (const peer of PEERS) await world.register(peer, ETCD);
      await busy(world, name, { spec: { membership: { kind: 'K3s' } }, labels: ETCD });
    },
    // As the supervisor of k3s does.
    release: async (world, name) => {
      const annotations = { [LEAVE_ANNOTATIONS.K3s.removed]: name };
      await world.workload.api.patch({ ...NODES, name }, { metadata: { annotations } });
    },
    evicted: ['web'],
  },
  {
    name: 'update-drain',
    condition: 'Drained',
    reason: 'BlockedByBudget',
    begin: async (world, name) => {
      await aMachine(world, name);
      await guarded(world, name);
      await world.says(name, 'Ready', 'Available');
      await updated(world, name, { disruptive: true });
    },
    release: async (world, name) => {
      await world.workload.api.delete({ ...BUDGETS, name });
      await endUpdated(world, name);
    },
    evicted: ['web'],
  },
  {
    name: 'update-run',
    condition: 'Updated',
    reason: 'Running',
    begin: async (world, name) => {
      const secret = `${name}-updaters`;
      await world.management.apply({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: secret, namespace: NAMESPACE },
        data: { sysctls: Buffer.from('true').toString('base64') },
      });
      await aMachine(world, name);
      await world.says(name, 'Ready', 'Available');
      await updated(world, name, { updaters: ['sysctls'], payloadSecretRef: { name: secret } });
    },
    // As the kubelet does once the unit on the host has ended.
    release: async (world, name) => {
      const { status } = await world.management.get(refTo(name));
      const pod = { ...podRef(stringAt(status, 'update', 'pod') ?? '', UPDATERS) };
      const terminated = { exitCode: 0, message: 'Succeeded\n', startedAt: null, finishedAt: null };
      const container = { name: 'runner', image: 'a', imageID: 'a', ready: false, restartCount: 0, lastState: {} };
      const containerStatuses = [{ ...container, state: { terminated } }];
      await world.workload.api.patchStatus(pod, { phase: 'Succeeded', containerStatuses });
      await endUpdated(world, name);
    },
    evicted: [],
  },
];

/** A machine whose Node is not there yet, which joins by a token. */
export const JOINING = {
  id: 'fake42',
  async begin(world: World, name: string): Promise<void> {
    const token = Buffer.from(`${JOINING.id}.0123456789abcdef`).toString('base64');
    const secret = `${name}-join-token`;
    await world.management.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: secret, namespace: refTo(name).namespace ?? '' },
      data: { token },
    });
    const join = { kind: 'Kubeadm', secretRef: { name: secret, key: 'token' } };
    await world.machine(name, { spec: { join }, isAbsent: true });
    await world.says(name, 'Ready', 'WaitingForNode');
  },
  /** When its token expires by the clock of provider-node: milliseconds since 1970. */
  expires: async (world: World): Promise<number> => {
    const { status } = await world.management.get(refTo('phase-joining'));
    return Date.parse(stringAt(status, 'join', 'expiresAt') ?? '');
  },
  isAdmitted: async (world: World): Promise<boolean> =>
    (await world.workload.api.find({
      ...podRef(`bootstrap-token-${JOINING.id}`, 'kube-system'),
      kind: 'Secret',
    })) !== undefined,
} as const;
