/**
 * Boots machines from their first-boot data. A machine joins only a cluster that was started, with a token that is
 * valid at that time and its CA; failed attempts are retried for a while, as in kubeadm, and then given up.
 */
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { MachineFacts, Machines } from '../cloud/machine.ts';
import type { Journal } from '../facts/journal.ts';
import type { Programs } from '../interface.ts';
import type { ObjectRef } from '../store/ref.ts';
import { BootFailure, FIRST_BOOT } from './first-boot/boot-failure.ts';
import { readFirstBoot } from './first-boot/first-boot.ts';
import { certificateHash } from './joining/certificate-hash.ts';
import { localAddresses } from './first-boot/local-addresses.ts';
import { joinPlanOf } from './joining/joining.ts';
import type { Called, Join, JoinPlan, Start } from './joining/plan.ts';
import { type Node, WorkloadCluster } from './workload-cluster.ts';

export interface BootParts {
  readonly clock: Scheduler;
  readonly dice: Dice;
  readonly journal: Journal;
  readonly machines: Machines;
  readonly clusters: Map<string, WorkloadCluster>;
  /** Programs on machine images in addition to those of the simulator. @default none */
  readonly programs?: Programs;
  /** Kubernetes version of a machine image; undefined if unknown. */
  readonly versionOf: (image: string) => string | undefined;
  /** Whether a cluster begins without a pod network where its bootstrapper brings none. */
  readonly needsNetwork: boolean;
  /** Called when a machine failed for good. */
  readonly onFailure: (machine: MachineFacts, message: string, reason: FirstBootReason) => void;
  /** Called when nodes of a cluster changed. */
  readonly onNodes: (cluster: WorkloadCluster) => void;
}

type FirstBootReason = (typeof FIRST_BOOT)[keyof typeof FIRST_BOOT];

interface Waiting {
  readonly machine: MachineFacts;
  readonly plan: Called;
}

/** Seconds. */
const BOOT = [15, 30] as const;
const BECOMES_NODE = { init: [35, 60], join: [12, 25], called: [12, 25] } as const;
const NODE_READY = [4, 10] as const;
const RETRY = 5;
const GIVE_UP = 300;
/** How long first-boot data may take to arrive. */
const FETCH = 600;

export class Boot {
  readonly #parts: BootParts;
  readonly #failed = new Set<string>();
  /** Machines that wait for the call, by id, and those that were called. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #called = new Set<string>();
  /** Of machines, by id: addresses that they gave themselves. */
  readonly #local = new Map<string, ReadonlySet<string>>();

  constructor(parts: BootParts) {
    this.#parts = parts;
  }

  /** The first boot of a machine. */
  start(machine: MachineFacts): void {
    const { clock, dice, journal } = this.#parts;
    journal.count('machinesBooted', machine.kind);
    clock.after(dice.between(...BOOT, 'boot', machine.id), () => this.#read(machine, clock.seconds + FETCH));
  }

  #read(machine: MachineFacts, deadline: number): void {
    const { clock, dice, machines, programs: { tools, formats } = {} } = this.#parts;
    if (machines.find(machine.id)?.running !== true) return;
    try {
      const boot = readFirstBoot(machine.userData, machines.secretsOf(machine.id), formats);
      const plan = joinPlanOf(boot, tools);
      this.#local.set(machine.id, localAddresses(boot));
      const [least, most] = BECOMES_NODE[plan.action];
      clock.after(dice.between(least, most, 'kubeadm', machine.id), () =>
        this.#run(machine, plan, clock.seconds + GIVE_UP),
      );
    } catch (thrown) {
      if (!(thrown instanceof BootFailure)) throw thrown;
      if (!thrown.passes) return this.#fail(machine, thrown.message, FIRST_BOOT.refused);
      if (clock.seconds >= deadline) return this.#fail(machine, thrown.message);
      clock.after(RETRY, () => this.#read(machine, deadline));
    }
  }

  #run(machine: MachineFacts, plan: JoinPlan, deadline: number): void {
    if (this.#parts.machines.find(machine.id)?.running !== true) return;
    const obstacle = this.#attempt(machine, plan);
    if (obstacle === undefined) return;
    if (this.#parts.clock.seconds >= deadline) return this.#fail(machine, obstacle);
    this.#parts.clock.after(RETRY, () => this.#run(machine, plan, deadline));
  }

  #attempt(machine: MachineFacts, plan: JoinPlan): string | undefined {
    if (plan.action === 'init') return this.#init(machine, plan);
    if (plan.action === 'join') return this.#join(machine, plan);
    if (this.#called.has(machine.id)) return this.#init(machine, plan.start);
    if (this.#parts.clusters.has(plan.endpoint)) return this.#join(machine, plan.join);
    this.#waiting.set(machine.id, { machine, plan });
    return undefined;
  }

  /** Calls a machine to start its cluster; undefined if it accepted the call, otherwise its error. */
  call(address: string, credentials: string): string | undefined {
    const found = [...this.#waiting.values()].find(({ machine }) => machine.address === address);
    if (found === undefined) return 'connection refused';
    const { machine, plan } = found;
    if (this.#parts.machines.find(machine.id)?.running !== true) return 'connection refused';
    const refusal = plan.admits(credentials);
    if (refusal !== undefined) return refusal;
    if (this.#called.has(machine.id)) return undefined; // etcd already exists, which is what the caller wants
    this.#called.add(machine.id);
    const { clock, dice } = this.#parts;
    clock.after(dice.between(...BECOMES_NODE.init, 'etcd', machine.id), () =>
      this.#run(machine, plan, clock.seconds + GIVE_UP),
    );
    return undefined;
  }

  /** Starts a cluster; undefined on success, otherwise the reason why not. */
  #init(machine: MachineFacts, plan: Start): string | undefined {
    const { clusters, journal } = this.#parts;
    const reached = this.#parts.machines.answering(...hostAndPort(plan.endpoint));
    if (reached !== undefined && !reached.includes(machine.id))
      return `${plan.tool}: ${plan.endpoint} does not lead to this machine`;
    if (!this.#reachesItself(machine, plan))
      return `${plan.tool}: cannot reach https://${plan.endpoint}: i/o timeout: its load balancer leads no machine back to itself`;
    const present = clusters.get(plan.endpoint);
    if (present !== undefined) {
      journal.violation(
        `split brain: ${machine.owner.name} ran ${plan.tool} for ${plan.endpoint}, which ${present.firstMachine} had started`,
      );
      return this.#giveUp(machine, `${plan.tool}: ${plan.endpoint} is a cluster already`);
    }
    const cluster = new WorkloadCluster({
      endpoint: plan.endpoint,
      caHash: certificateHash(plan.ca),
      ca: plan.ca,
      version: plan.version ?? '',
      firstMachine: machine.owner.name,
      auth: plan.auth,
      hasNetwork: this.#parts.needsNetwork ? (plan.network ?? true) : true,
    });
    const { clock } = this.#parts;
    const expires = plan.tokensFor === undefined ? Infinity : clock.end(plan.tokensFor);
    for (const token of plan.tokens) cluster.admit(token, expires);
    clusters.set(plan.endpoint, cluster);
    journal.moment(refOfMachine(machine), `started the cluster at ${plan.endpoint}`);
    this.#register(cluster, machine, plan, true);
    for (const { machine: other, plan: waiting } of this.#waiting.values())
      if (waiting.endpoint === plan.endpoint && !this.#called.has(other.id))
        this.#run(other, waiting, this.#parts.clock.seconds + GIVE_UP);
    return undefined;
  }

  #reachesItself({ id }: MachineFacts, { endpoint, reachesItself }: Start): boolean {
    const [host] = hostAndPort(endpoint);
    return reachesItself === true || this.#local.get(id)?.has(host) === true || this.#parts.machines.leadsBack(host);
  }

  #join(machine: MachineFacts, plan: Join): string | undefined {
    const cluster = this.#clusterAt(plan.endpoint);
    const by = plan.by ?? plan.endpoint;
    const led = this.#parts.machines.answering(...hostAndPort(by));
    if (cluster === undefined || !cluster.answers || led?.length === 0)
      return `${plan.tool}: cannot reach https://${by}: connection refused`;
    if (!plan.trusts(cluster.ca))
      return this.#giveUp(machine, `${plan.tool}: the CA of ${plan.endpoint} is none of the pinned ones`);
    if (plan.token === undefined && !cluster.managed)
      return this.#giveUp(machine, `${plan.tool}: ${plan.endpoint} does not know the role of the machine`);
    // It may be admitted a moment later.
    if (plan.token !== undefined && !cluster.tokens(this.#parts.clock.seconds).includes(plan.token))
      return `${plan.tool}: ${plan.endpoint} does not know the bootstrap token`;
    if (plan.token !== undefined && plan.once === true) cluster.use(plan.token);
    this.#register(cluster, machine, plan, plan.controlPlane);
    return undefined;
  }

  /** At its endpoint, or at a member of its control plane. */
  #clusterAt(address: string): WorkloadCluster | undefined {
    const { clusters } = this.#parts;
    const [host] = hostAndPort(address);
    const isMember = ({ nodes }: WorkloadCluster): boolean =>
      nodes.some((node) => node.controlPlane && node.address === host);
    return clusters.get(address) ?? [...clusters.values()].find(isMember);
  }

  #register(cluster: WorkloadCluster, machine: MachineFacts, plan: JoinPlan, controlPlane: boolean): void {
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
      version: plan.version ?? this.#parts.versionOf(machine.image ?? '') ?? cluster.version,
      address: machine.address,
      labels: plan.labels,
      annotations: {},
      taints: plan.taints,
      ready: false,
      unschedulable: false,
    });
    journal.count('nodesJoined', controlPlane ? 'control-plane' : 'worker');
    this.#parts.onNodes(cluster);
    clock.after(dice.between(...NODE_READY, 'ready', machine.id), () => this.setReady(machine.id, true));
  }

  /** The kubelet of a machine started, stopped or recovered. */
  setReady(machineId: string, ready: boolean): void {
    for (const cluster of this.#parts.clusters.values()) {
      const node = cluster.nodeOf(machineId);
      if (node === undefined || node.ready === ready) continue;
      cluster.put({ ...node, ready });
      if (ready && !cluster.hasNetwork) this.#tellWaiting(node);
      this.#parts.onNodes(cluster);
    }
  }

  #tellWaiting({ machineId, name }: Node): void {
    const machine = this.#parts.machines.find(machineId);
    if (machine !== undefined)
      this.#parts.journal.moment(refOfMachine(machine), `Node "${name}" runs, and waits for a pod network`);
  }

  #giveUp(machine: MachineFacts, message: string): undefined {
    this.#fail(machine, message);
    return undefined;
  }

  #fail(machine: MachineFacts, message: string, reason: FirstBootReason = FIRST_BOOT.failed): void {
    if (this.#failed.has(machine.id)) return;
    this.#failed.add(machine.id);
    this.#parts.journal.moment(refOfMachine(machine), `never became a node: ${message}`);
    this.#parts.onFailure(machine, message, reason);
  }
}

export function refOfMachine({ apiVersion, kind, owner }: MachineFacts): ObjectRef {
  return { apiVersion, kind, namespace: owner.namespace, name: owner.name };
}

function hostAndPort(endpoint: string): readonly [host: string, port: number] {
  const colon = endpoint.lastIndexOf(':');
  return [endpoint.slice(0, colon), Number(endpoint.slice(colon + 1))];
}
