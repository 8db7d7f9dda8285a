/**
 * provider-node as compositions see it: a WorkloadNode finds its Node, marks it, reports it, and empties it before
 * it lets go. Etcd membership is not played.
 */
import type { Condition } from '#lib/api/conditions.ts';
import { type Json, type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { customResourceDefinition } from '#lib/api/schema/definition.ts';
import { NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { DELETING, SYNCED, notSynced } from '../clouds/resource.ts';
import type { Journal } from '../facts/journal.ts';
import type { Recorder } from '../facts/recorder.ts';
import { falseCondition, marked, trueCondition } from '../reconcile/conditions.ts';
import { kindOfCrd } from '../store/definitions.ts';
import { isDeleting, metaOf, uidOf, withFinalizer, withoutFinalizer } from '../store/object.ts';
import { type ObjectRef, keyOf, refOf } from '../store/ref.ts';
import type { Store } from '../store/store.ts';
import { connect } from './connection.ts';
import { type Calling, mustStart, start } from './node-start.ts';
import { type Marks, marked as marksOn } from './node-marks.ts';
import { type Advance, NodeUpdates, statusOf } from './node-updates.ts';
import type { Node, WorkloadCluster } from './workload-cluster.ts';

const WORKLOAD_NODE = { apiVersion: NODE_API_VERSION, kind: 'WorkloadNode' } as const;
const NODE_FINALIZER = 'workloadnode.node.slipway.dev';

export interface NodeProviderParts {
  readonly store: Store;
  readonly clock: Scheduler;
  readonly dice: Dice;
  readonly recorder: Recorder;
  readonly journal: Journal;
  readonly clusters: ReadonlyMap<string, WorkloadCluster>;
  /** True while the machine behind a node runs. */
  readonly isRunning: (machineId: string) => boolean;
  readonly call: Calling;
  /** Told when nodes of a cluster changed. */
  readonly onNodes: (cluster: WorkloadCluster) => void;
  /** Share of updaters that fail on a node. */
  readonly failing: number;
}

const MANAGER = 'provider-node';
/** Seconds. */
const LAG = 0.3;
const UNREACHABLE_RETRY = 10;
const DRAIN = [8, 25] as const;

export class NodeProvider {
  readonly #parts: NodeProviderParts;
  readonly #due = new Map<string, number>();
  readonly #draining = new Set<string>();
  readonly #marks: Marks = new Map();
  readonly #updates: NodeUpdates;

  constructor(parts: NodeProviderParts) {
    this.#parts = parts;
    this.#updates = new NodeUpdates(parts);
    for (const definition of NODE_KINDS) parts.store.kinds.define(kindOfCrd(customResourceDefinition(definition)));
    parts.store.onChange(({ type, object }) => {
      if (object.apiVersion !== NODE_API_VERSION && object.kind !== 'Secret') return;
      if (object.kind === WORKLOAD_NODE.kind && type !== 'deleted') this.#queue(refOf(object), LAG);
      if (object.kind !== WORKLOAD_NODE.kind && (type === 'created' || type === 'deleted'))
        this.lookAtAll(metaOf(object).namespace);
    });
  }

  /** Nodes or credentials changed: every WorkloadNode may be about them. */
  lookAtAll(namespace?: string): void {
    for (const node of this.#parts.store.list({ ...WORKLOAD_NODE, namespace })) this.#queue(refOf(node), LAG);
  }

  #queue(ref: ObjectRef, seconds: number): void {
    const key = keyOf(ref);
    const due = this.#parts.clock.seconds + seconds;
    const known = this.#due.get(key);
    if (known !== undefined && known <= due) return;
    this.#due.set(key, due);
    this.#parts.clock.after(seconds, () => {
      if (this.#due.get(key) !== due) return;
      this.#due.delete(key);
      const node = this.#parts.store.find(ref);
      if (node !== undefined) this.#reconcile(node);
    });
  }

  #reconcile(object: KubeObject): void {
    const connection = connect(this.#parts.store, this.#parts.clusters, object);
    if (isDeleting(object)) {
      if ('over' in connection && !connection.over) this.#mark(object, [DELETING, notSynced(connection.cause)]);
      if ('over' in connection && !connection.over) return this.#queue(refOf(object), UNREACHABLE_RETRY);
      return this.#delete(object, 'cluster' in connection ? connection.cluster : undefined);
    }
    const ours = this.#start(this.#parts.store.update(withFinalizer(object, NODE_FINALIZER), MANAGER));
    if (ours === undefined) return;
    if ('cause' in connection) {
      this.#mark(ours, [notSynced(connection.cause)]);
      if (!connection.over) this.#queue(refOf(ours), UNREACHABLE_RETRY);
      return;
    }
    const node = find(connection.cluster, ours);
    if (node === undefined) {
      const message = `waiting for Node "${nodeName(ours)}" to register`;
      this.#mark(ours, [SYNCED, falseCondition('Ready', 'NodeNotFound', message)]);
      return;
    }
    const advance = this.#updates.look(ours, node, (after) => this.#queue(refOf(ours), after));
    const dressed = this.#dress(connection.cluster, node, ours, advance);
    this.#report(ours, dressed, advance);
    if (dressed.ready && !node.ready) this.#parts.onNodes(connection.cluster);
  }

  /** Before there is a cluster to reach: undefined while its first machine has not taken the call. */
  #start(object: KubeObject): KubeObject | undefined {
    if (!mustStart(object)) return object;
    const obstacle = start(this.#parts.store, object, this.#parts.call);
    if (obstacle === undefined) {
      this.#parts.journal.moment(refOf(object), 'took the call that starts its cluster');
      const started = { ...object, status: { ...object.status, started: true } };
      return this.#parts.store.updateStatus(started, MANAGER);
    }
    this.#mark(object, [SYNCED, falseCondition('Ready', 'WaitingForStart', obstacle)]);
    this.#queue(refOf(object), UNREACHABLE_RETRY);
    return undefined;
  }

  /** Puts the marks on the Node that the object asks for. */
  #dress(cluster: WorkloadCluster, node: Node, object: KubeObject, advance: Advance | undefined): Node {
    const wanted: Node = {
      ...marksOn(node, object, uidOf(object), this.#marks),
      version: advance?.version ?? node.version,
      unschedulable: at(object, 'spec', 'unschedulable') === true || advance?.cordoned === true,
    };
    cluster.put(wanted);
    return wanted;
  }

  #report(object: KubeObject, node: Node, advance: Advance | undefined): void {
    const status: JsonObject = {
      ...object.status,
      nodeRef: { name: node.name, uid: node.uid },
      nodeInfo: {
        kubeletVersion: node.version,
        osImage: 'Simulated Linux',
        containerRuntimeVersion: 'containerd://2.2.1',
      },
      addresses: [
        { type: 'InternalIP', address: node.address },
        { type: 'Hostname', address: node.name },
      ] satisfies Json,
      nodeConditions: [
        { type: 'Ready', status: node.ready ? 'True' : 'False', lastTransitionTime: this.#since(object, node) },
      ],
      ...(advance === undefined ? {} : { update: statusOf(advance.progress) }),
    };
    const health: readonly Condition[] = node.ready
      ? [trueCondition('Ready', 'Available'), trueCondition('NodeHealthy', 'KubeletReady')]
      : [
          falseCondition('Ready', 'NodeNotReady', `Node "${node.name}" is not ready`),
          falseCondition('NodeHealthy', 'KubeletNotReady', `Node "${node.name}" is not ready`),
        ];
    this.#mark({ ...object, status }, [SYNCED, ...health, ...updateConditions(advance)]);
  }

  /** Since when the Node is as ready as it is: the time told before, as long as the status is the same. */
  #since(object: KubeObject, { ready }: Node): string {
    const told: unknown = (at(object, 'status', 'nodeConditions') as readonly Json[] | undefined)?.[0];
    const same = stringAt(told, 'status') === (ready ? 'True' : 'False');
    return (same ? stringAt(told, 'lastTransitionTime') : undefined) ?? this.#parts.clock.stamp;
  }

  #delete(object: KubeObject, cluster: WorkloadCluster | undefined): void {
    const node = cluster === undefined ? undefined : find(cluster, object);
    if (cluster === undefined || node === undefined) return this.#release(object);
    if (!this.#parts.isRunning(node.machineId)) {
      cluster.remove(node.name);
      this.#parts.onNodes(cluster);
      return this.#release(object);
    }
    const uid = uidOf(object);
    if (this.#draining.has(uid)) return;
    this.#draining.add(uid);
    cluster.put({ ...node, unschedulable: true });
    this.#mark(object, [
      DELETING,
      SYNCED,
      falseCondition('Drained', 'Draining', `evicting pods from Node "${node.name}"`),
    ]);
    this.#parts.clock.after(this.#parts.dice.between(...DRAIN, 'drain', node.uid), () =>
      this.#drained(uid, cluster, node),
    );
  }

  #drained(uid: string, cluster: WorkloadCluster, node: Node): void {
    const { journal, store } = this.#parts;
    cluster.remove(node.name);
    journal.count('nodesDrained', node.controlPlane ? 'control-plane' : 'worker');
    const object = store.withUid(uid);
    if (object !== undefined) {
      journal.moment(refOf(object), `Node "${node.name}" was drained and removed`);
      this.#mark(object, [trueCondition('Drained', 'Drained')]);
      this.#release(store.get(refOf(object)));
    }
    this.#parts.onNodes(cluster);
  }

  #release(object: KubeObject): void {
    this.#parts.store.update(withoutFinalizer(object, NODE_FINALIZER), MANAGER);
  }

  #mark(object: KubeObject, conditions: readonly Condition[]): void {
    this.#parts.store.updateStatus(marked(object, conditions, this.#parts.clock.stamp, true), MANAGER);
  }
}

/** A Node under update serves nobody; one whose update failed needs somebody to look. */
function updateConditions(advance: Advance | undefined): readonly Condition[] {
  if (advance === undefined) return [];
  const { phase, message, id } = advance.progress;
  const text = message === undefined ? `update ${id}` : `update ${id}: ${message}`;
  const updated = phase === 'Succeeded' ? trueCondition('Updated', phase) : falseCondition('Updated', phase, text);
  const drained =
    phase === 'Draining' ? [falseCondition('Drained', phase, text)] : [trueCondition('Drained', 'Drained')];
  if (!advance.cordoned) return [updated];
  const reason = phase === 'Failed' ? 'UpdateFailed' : 'Updating';
  return [falseCondition('Ready', reason, text), updated, ...drained];
}

function nodeName(object: KubeObject): string {
  return stringAt(object, 'spec', 'node', 'name') ?? '';
}

/** By provider id when the object names one, which wins over the name. */
function find(cluster: WorkloadCluster, object: KubeObject): Node | undefined {
  const providerID = stringAt(object, 'spec', 'node', 'providerID');
  if (providerID !== undefined) return cluster.nodes.find((node) => node.providerID === providerID);
  return cluster.node(nodeName(object));
}
