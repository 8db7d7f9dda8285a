/**
 * One reconcile of a WorkloadNode by the simulated provider: executes the decided actions, and observes their results.
 */
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import type { BootstrapKind } from '#lib/api/fields/join.ts';
import { type Json, type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { askedSecret, isOwnedBy } from '#lib/node/asked-join.ts';
import { joinTokenOf, tokenSecretName } from '#lib/node/bootstrap-token.ts';
import { FINALIZER } from '#lib/node/leaving.ts';
import type { Action, Observation } from '#lib/node/decision.ts';
import { identify } from '#lib/node/identity.ts';
import { nameAsked, nameOf } from '#lib/node/node.ts';
import type { Eviction, HeldToken, NodeSituation, Workload } from '#lib/node/situation.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Journal } from '../facts/journal.ts';
import { SECRET } from '../store/builtins.ts';
import { usageOf } from '#lib/node/config.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { metaOf, withAnnotations, withFinalizer } from '../store/object.ts';
import { type ObjectRef, refOf } from '../store/ref.ts';
import type { Store } from '../store/store.ts';
import { type Clusters, type Connection, configOf, connect } from './connection.ts';
import { tokenOf } from './k8sd.ts';
import { identityOf, objectOf, patched } from './node-object.ts';
import type { PlayedNodes } from './played-nodes.ts';
import { MANAGER } from './words.ts';
import type { Node, WorkloadCluster } from './workload-cluster.ts';

export interface NodeLookParts {
  readonly store: Store;
  readonly clock: Scheduler;
  readonly journal: Journal;
  readonly clusters: Clusters;
  readonly isRunning: (machineId: string) => boolean;
  readonly call: Calling;
  /** WorkloadNodes of the same ProviderConfig that have found a Node of one of these uids. */
  readonly foundBy: (uids: readonly string[], object: KubeObject) => readonly KubeObject[];
  /** Called when nodes of a cluster changed. */
  readonly onNodes: (cluster: WorkloadCluster) => void;
}

/** Calls a machine by address; undefined if it accepted the call, otherwise its error. */
export type Calling = (address: string, credentials: string) => string | undefined;

/** How the programs of the simulator write a token that is valid for one role only. */
const ROLES: Readonly<Record<BootstrapKind, string>> = {
  Kubeadm: '',
  K0sController: 'controller ',
  K0sWorker: 'worker ',
};

export class NodeLook {
  readonly #parts: NodeLookParts;
  readonly #played: PlayedNodes;
  #connection: Connection | undefined;

  constructor(parts: NodeLookParts, played: PlayedNodes) {
    this.#parts = parts;
    this.#played = played;
  }

  /** Executes an action, and adds its result. */
  perform(action: Action, situation: NodeSituation): NodeSituation {
    const { store, journal } = this.#parts;
    const { object } = situation;
    switch (action.do) {
      case 'Look':
        return { ...situation, ...this.#see(action.at, object) };
      case 'Hold':
        return { ...situation, object: store.update(withFinalizer(object, FINALIZER), MANAGER) };
      case 'Name':
        return {
          ...situation,
          object: store.update(withAnnotations(object, { [CROSSPLANE.externalName]: action.externalName }), MANAGER),
        };
      case 'Track':
        store.apply(action.usage, { manager: MANAGER });
        return { ...situation, ...this.#see('Config', object) };
      case 'Note':
        journal.moment(refOf(object), action.why);
        return { ...situation, object: this.#noted(object, action.status) };
      case 'Record':
        return { ...situation, object: this.#noted(object, action.status) };
      case 'CallStart': {
        const refusal = this.#parts.call(action.address, this.#secret(object, 'start') ?? '');
        const call = { address: action.address, ...(refusal === undefined ? {} : { refusal }) };
        return { ...situation, calls: [...(situation.calls ?? []), call] };
      }
      case 'DropToken':
        if (this.#held(object) === 'Ours') store.delete(this.#joinSecret(object, 'secretRef'));
        return { ...situation, withdrawn: true };
      case 'RequestToken':
        if (this.#connection === undefined || 'cause' in this.#connection)
          throw new Error(`${action.do} before the workload cluster was reached`);
        return { ...situation, requested: this.#request(action, object, this.#connection.cluster) };
      case 'AdmitToken':
      case 'ExpireToken':
      case 'WithdrawToken':
        if (this.#connection === undefined || 'cause' in this.#connection)
          throw new Error(`${action.do} before the workload cluster was reached`);
        return this.#onTokens(action, situation, this.#connection.cluster);
      default:
        return this.#onNode(action, situation);
    }
  }

  /** The Node and its cluster in their current state. */
  found(object: KubeObject): { readonly cluster: WorkloadCluster; readonly node: Node } | undefined {
    if (this.#connection === undefined || 'cause' in this.#connection) return undefined;
    const { cluster } = this.#connection;
    const { node } = identify(object, this.#claiming(object, cluster).map(identityOf));
    const found = node && cluster.node(nameOf(node));
    return found && { cluster, node: found };
  }

  /** As standsFor of lib/node has it: a whole Node is made only for these. */
  #claiming(object: KubeObject, cluster: WorkloadCluster): readonly Node[] {
    const providerId = stringAt(object, 'spec', 'node', 'providerID');
    if (providerId !== undefined) return cluster.withProviderId(providerId);
    const node = cluster.node(nameAsked(object));
    return node === undefined ? [] : [node];
  }

  #workload(object: KubeObject, cluster: WorkloadCluster): Workload {
    const nodes = this.#claiming(object, cluster);
    return {
      nodes: nodes.map((node) => this.#objectOf(node, object)),
      managers: this.#parts.foundBy(
        nodes.map(({ uid }) => uid),
        object,
      ),
    };
  }

  /** Tokens of a cluster that was reached. */
  #onTokens(
    action: Extract<Action, { readonly tokenSecret: string }>,
    situation: NodeSituation,
    cluster: WorkloadCluster,
  ): NodeSituation {
    const id = action.tokenSecret.replace(tokenSecretName(''), '');
    if (action.do === 'WithdrawToken') {
      cluster.withdraw(id);
      return { ...situation, withdrawn: true };
    }
    const { tokenSecret, expiresAt } = action;
    const { clock } = this.#parts;
    const expires = clock.end((Date.parse(expiresAt) - clock.now.getTime()) / 1000);
    const token = this.#secret(situation.object, 'join') ?? '';
    if (action.do === 'ExpireToken') cluster.expire(id, expires);
    else cluster.admit(`${ROLES[action.kind]}${token}`, expires);
    return { ...situation, admitted: { tokenSecret, expiresAt } };
  }

  #onNode(action: Action, situation: NodeSituation): NodeSituation {
    const { object } = situation;
    const found = this.found(object);
    if (found === undefined) return { ...situation, workload: { nodes: [] } };
    const { cluster, node } = found;
    switch (action.do) {
      case 'PatchNode':
        cluster.put(patched(node, action.patch));
        return { ...situation, ...this.#see('Workload', object) };
      case 'Evict':
        this.#played.evict(object, node);
        return {
          ...situation,
          evictions: new Map(
            action.pods.map((pod): [string, Eviction] => [`${pod.namespace}/${pod.name}`, 'Accepted']),
          ),
        };
      case 'RunUpdaters': {
        const scripts = action.updaters.map((name) => [name, this.#script(object, name) ?? ''] as const);
        this.#played.start(node, action.id, scripts);
        return { ...situation, ...this.#see('Run', object) };
      }
      case 'DeleteNode':
        cluster.remove(node.name);
        if (action.because === 'Drained') {
          const { journal } = this.#parts;
          journal.count('nodesDrained', node.controlPlane ? 'control-plane' : 'worker');
          journal.moment(refOf(object), `Node "${node.name}" was drained and removed`);
        }
        this.#parts.onNodes(cluster);
        return { ...situation, workload: { nodes: [] }, deleted: { because: action.because } };
      default:
        throw new Error(`${action.do} is not played on Nodes`);
    }
  }

  #see(observation: Observation, object: KubeObject): Partial<NodeSituation> {
    const { store, clusters } = this.#parts;
    if (observation === 'Config')
      return { config: { found: configOf(store, object), usage: store.find(refOf(usageOf(object))) } };
    if (observation === 'StartSecret') return { hasStartSecret: this.#secret(object, 'start') !== undefined };
    if (observation === 'JoinToken') return { joinToken: joinTokenOf(this.#secret(object, 'join')) };
    if (observation === 'HeldToken') return { heldToken: this.#held(object) };
    if (observation === 'Scripts') {
      const updaters = (at(object, 'spec', 'update', 'updaters') ?? []) as readonly string[];
      return { scripts: new Set(updaters.filter((name) => this.#script(object, name) !== undefined)) };
    }
    if (observation === 'Volumes') return { volumes: [] };
    if (observation === 'Etcd') return { etcd: 'NotPlayed' };
    // Simulated kubelets do not ask for certificates.
    if (observation === 'Certificates') return { certificates: { requests: [] } };
    this.#connection ??= connect(store, clusters, object);
    if ('cause' in this.#connection) return { workload: this.#connection };
    const found = this.found(object);
    const workload = this.#workload(object, this.#connection.cluster);
    if (found === undefined || observation === 'Workload') return { workload };
    if (observation === 'Pods') return { pods: this.#played.pods(object, found.node) };
    const run = this.#played.run(found.cluster, found.node, stringAt(object, 'spec', 'update', 'id') ?? '');
    return { run, ...this.#see('Workload', object) }; // a run changes the Node
  }

  #objectOf(node: Node, object: KubeObject): KubeObject {
    const { hasNetwork } = (this.#connection as { readonly cluster: WorkloadCluster }).cluster;
    const since = this.#since(object, node.ready && hasNetwork);
    return objectOf(node, this.#parts.isRunning(node.machineId), since, hasNetwork);
  }

  /** Since when the Node has its current Ready status: the recorded time, if the status is the same. */
  #since(object: KubeObject, ready: boolean): string {
    const before: unknown = (at(object, 'status', 'nodeConditions') as readonly Json[] | undefined)?.[0];
    const same = stringAt(before, 'status') === (ready ? 'True' : 'False');
    return (same ? stringAt(before, 'lastTransitionTime') : undefined) ?? this.#parts.clock.stamp;
  }

  #noted(object: KubeObject, status: JsonObject): KubeObject {
    return this.#parts.store.updateStatus({ ...object, status: { ...object.status, ...status } }, MANAGER);
  }

  #held(object: KubeObject): HeldToken {
    const secret = this.#parts.store.find(this.#joinSecret(object, 'secretRef'));
    if (secret === undefined) return 'Missing';
    return isOwnedBy(secret, object) ? 'Ours' : 'Theirs';
  }

  #request(
    { name, worker, seconds }: Extract<Action, { do: 'RequestToken' }>,
    object: KubeObject,
    cluster: WorkloadCluster,
  ): NonNullable<NodeSituation['requested']> {
    const { store, clock } = this.#parts;
    const auth = this.#data(object, this.#joinSecret(object, 'authSecretRef').name, AUTH_TOKEN.key);
    if (auth === undefined) return { refusal: 'the Secret of spec.join.authSecretRef does not exist' };
    const times = { now: clock.seconds, expires: clock.end(seconds) };
    const answer = tokenOf(cluster, { name, worker, auth, ...times });
    if ('refusal' in answer) return answer;
    store.apply(askedSecret(object, answer.token), { manager: MANAGER });
    return 'Written';
  }

  #joinSecret(object: KubeObject, field: 'secretRef' | 'authSecretRef'): ObjectRef {
    const { namespace = '' } = metaOf(object);
    return { ...SECRET, namespace, name: stringAt(object, 'spec', 'join', field, 'name') ?? '' };
  }

  #script(object: KubeObject, updater: string): string | undefined {
    return this.#data(object, stringAt(object, 'spec', 'update', 'payloadSecretRef', 'name') ?? '', updater);
  }

  #secret(object: KubeObject, part: 'start' | 'join'): string | undefined {
    const name = stringAt(object, 'spec', part, 'secretRef', 'name') ?? '';
    return this.#data(object, name, stringAt(object, 'spec', part, 'secretRef', 'key') ?? '');
  }

  #data(object: KubeObject, name: string, key: string): string | undefined {
    const { namespace = '' } = metaOf(object);
    const text = stringAt(this.#parts.store.find({ ...SECRET, namespace, name }), 'data', key);
    return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
  }
}
