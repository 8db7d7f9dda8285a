/**
 * Machines booting: what their first-boot data makes of them. A machine joins only a cluster that was started,
 * with its token and its CA; what does not work is tried again for a while, as kubeadm does, and then given up.
 */
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { MachineFacts, Machines } from '../clouds/machine.ts';
import type { Journal } from '../facts/journal.ts';
import type { ObjectRef } from '../store/ref.ts';
import { BootFailure, readCloudConfig } from './cloud-config.ts';
import { type KubeadmPlan, kubeadmPlan } from './kubeadm.ts';
import { WorkloadCluster } from './workload-cluster.ts';

export interface BootParts {
  readonly clock: Scheduler;
  readonly dice: Dice;
  readonly journal: Journal;
  readonly machines: Machines;
  readonly clusters: Map<string, WorkloadCluster>;
  /** Told when a machine failed for good. */
  readonly onFailure: (machine: MachineFacts, message: string) => void;
  /** Told when nodes of a cluster changed. */
  readonly onNodes: (cluster: WorkloadCluster) => void;
}

/** Seconds. */
const BOOT = [15, 30] as const;
const KUBEADM = { init: [35, 60], join: [12, 25] } as const;
const NODE_READY = [4, 10] as const;
const RETRY = 5;
const GIVE_UP = 300;

export class Boot {
  readonly #parts: BootParts;
  readonly #failed = new Set<string>();

  constructor(parts: BootParts) {
    this.#parts = parts;
  }

  /** First boot of a machine. */
  start(machine: MachineFacts): void {
    const { clock, dice, journal } = this.#parts;
    journal.count('machinesBooted', machine.kind);
    clock.after(dice.between(...BOOT, 'boot', machine.id), () => {
      try {
        const plan = kubeadmPlan(readCloudConfig(machine.userData));
        clock.after(dice.between(KUBEADM[plan.action][0], KUBEADM[plan.action][1], 'kubeadm', machine.id), () =>
          this.#run(machine, plan, clock.seconds + GIVE_UP),
        );
      } catch (thrown) {
        if (!(thrown instanceof BootFailure)) throw thrown;
        this.#fail(machine, thrown.message);
      }
    });
  }

  #run(machine: MachineFacts, plan: KubeadmPlan, deadline: number): void {
    if (this.#parts.machines.find(machine.id)?.running !== true) return;
    const obstacle = plan.action === 'init' ? this.#init(machine, plan) : this.#join(machine, plan);
    if (obstacle === undefined) return;
    if (this.#parts.clock.seconds >= deadline) return this.#fail(machine, obstacle);
    this.#parts.clock.after(RETRY, () => this.#run(machine, plan, deadline));
  }

  /** Starts a cluster; undefined when done, else what stands in the way. */
  #init(machine: MachineFacts, plan: KubeadmPlan & { readonly action: 'init' }): string | undefined {
    const { clusters, journal } = this.#parts;
    const reached = this.#parts.machines.answering(hostOf(plan.endpoint));
    if (reached !== undefined && !reached.includes(machine.id))
      return `kubeadm init: ${plan.endpoint} does not lead to this machine`;
    const present = clusters.get(plan.endpoint);
    if (present !== undefined) {
      journal.violation(
        `split brain: ${machine.owner.name} ran kubeadm init for ${plan.endpoint}, which ${present.firstMachine} had started`,
      );
      return this.#giveUp(machine, `kubeadm init: ${plan.endpoint} is a cluster already`);
    }
    const cluster = new WorkloadCluster({
      endpoint: plan.endpoint,
      caHash: plan.caHash,
      tokens: plan.tokens,
      version: plan.version ?? '',
      firstMachine: machine.owner.name,
    });
    clusters.set(plan.endpoint, cluster);
    journal.moment(refOfMachine(machine), `started the cluster at ${plan.endpoint}`);
    this.#register(cluster, machine, plan, true);
    return undefined;
  }

  #join(machine: MachineFacts, plan: KubeadmPlan & { readonly action: 'join' }): string | undefined {
    const cluster = this.#parts.clusters.get(plan.endpoint);
    if (cluster === undefined || !cluster.answers)
      return `kubeadm join: cannot reach https://${plan.endpoint}: connection refused`;
    if (!plan.caHashes.includes(cluster.caHash))
      return this.#giveUp(machine, `kubeadm join: the CA of ${plan.endpoint} is none of the pinned ones`);
    if (!cluster.tokens.includes(plan.token))
      return this.#giveUp(machine, `kubeadm join: ${plan.endpoint} does not know the bootstrap token`);
    this.#register(cluster, machine, plan, plan.controlPlane);
    return undefined;
  }

  #register(cluster: WorkloadCluster, machine: MachineFacts, plan: KubeadmPlan, controlPlane: boolean): void {
    const { dice, journal, clock } = this.#parts;
    const name = plan.nodeName ?? machine.owner.name;
    const present = cluster.node(name);
    if (present !== undefined && this.#parts.machines.find(present.machineId)?.running === true) {
      journal.violation(`two machines are node ${name}: ${present.machineId} and ${machine.id}`);
    }
    cluster.put({
      name,
      uid: dice.uuid('node', cluster.endpoint, name, machine.id),
      machineId: machine.id,
      providerID: machine.providerID,
      controlPlane,
      version: plan.version ?? cluster.version,
      address: machine.address,
      labels: plan.labels,
      taints: plan.taints,
      ready: false,
      unschedulable: false,
    });
    journal.count('nodesJoined', controlPlane ? 'control-plane' : 'worker');
    this.#parts.onNodes(cluster);
    clock.after(dice.between(...NODE_READY, 'ready', machine.id), () => this.setReady(machine.id, true));
  }

  /** A machine's kubelet came, went or came back. */
  setReady(machineId: string, ready: boolean): void {
    for (const cluster of this.#parts.clusters.values()) {
      const node = cluster.nodeOf(machineId);
      if (node === undefined || node.ready === ready) continue;
      cluster.put({ ...node, ready });
      this.#parts.onNodes(cluster);
    }
  }

  #giveUp(machine: MachineFacts, message: string): undefined {
    this.#fail(machine, message);
    return undefined;
  }

  #fail(machine: MachineFacts, message: string): void {
    if (this.#failed.has(machine.id)) return;
    this.#failed.add(machine.id);
    this.#parts.journal.moment(refOfMachine(machine), `never became a node: ${message}`);
    this.#parts.onFailure(machine, message);
  }
}

export function refOfMachine({ apiVersion, kind, owner }: MachineFacts): ObjectRef {
  return { apiVersion, kind, namespace: owner.namespace, name: owner.name };
}

function hostOf(endpoint: string): string {
  return endpoint.slice(0, endpoint.lastIndexOf(':'));
}
