/** Each phase of a WorkloadNode in which something outside holds it, so that anything may happen meanwhile. */
import type { World } from './world.ts';
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

async function busy(world: World, name: string, metadata = {}): Promise<void> {
  await world.machine(name, {}, metadata);
  await world.pod(`${name}-web`, name);
  await world.says(name, 'Ready', 'Available');
  await world.delete(name);
}

function hooked(point: 'pre-drain' | 'pre-terminate'): Phase {
  const annotation = `${point}.hooks.slipway.dev/test`;
  return {
    name: point,
    condition: 'Drained',
    reason: 'WaitingForHook',
    begin: (world, name) => busy(world, name, { annotations: { [annotation]: 'yes' } }),
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
      await world.machine(name);
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
      await world.machine(name);
      const labels = { app: name };
      const spec = { minAvailable: 1, selector: { matchLabels: labels } };
      await world.workload.api.apply({
        apiVersion: BUDGETS.apiVersion,
        kind: BUDGETS.kind,
        metadata: { name, namespace: BUDGETS.namespace },
        spec,
      });
      await world.pod(`${name}-web`, name, { labels });
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
    await world.machine(name, { join }, {}, false);
    await world.says(name, 'Ready', 'WaitingForNode');
  },
  isAdmitted: async (world: World): Promise<boolean> =>
    (await world.workload.api.find({
      ...podRef(`bootstrap-token-${JOINING.id}`, 'kube-system'),
      kind: 'Secret',
    })) !== undefined,
} as const;
