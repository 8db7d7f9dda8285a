/**
 * Carries out the actions that are decided about one WorkloadNode, on real clusters, and adds what came of them to the
 * situation.
 */
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import type { Timing } from '#lib/kube/timing.ts';
import { drainAsked, FINALIZER } from '#lib/node/leaving.ts';
import type { Action, Observation } from '#lib/node/decision.ts';
import { joinTokenOf } from '#lib/node/bootstrap-token.ts';
import { identify, knownUid } from '#lib/node/identity.ts';
import { annotationsUsed, labelsUsed } from '#lib/node/marks.ts';
import { requestOf } from '#lib/node/requests.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { nameAsked, nameOf, uidOf } from '#lib/node/node.ts';
import type { Eviction, NodeSituation } from '#lib/node/situation.ts';
import { type Keys, slimNode } from './slim.ts';
import { MANAGER, NODES, SECRETS, USAGES, WORKLOAD_NODES } from './kinds.ts';
import type { Management } from './management.ts';
import { admit, expire, withdraw } from './joins.ts';
import { type AskToken, dropToken, heldToken, requestToken } from './asked-joins.ts';
import { approve } from './certificates/approval.ts';
import type { Stores } from './membership/stores.ts';
import { evict, podsOn } from './pods.ts';
import type { Run } from './updates/pod.ts';
import { clearRun, lookAtRun, startRun } from './updates/runs.ts';
import { volumesOn } from './volumes.ts';
import type { WorkloadCluster } from './workload-cluster.ts';
import type { WorkloadClusters } from './workload-clusters.ts';

export interface PerformanceParts {
  /** Of the management cluster. */
  readonly client: KubeClient;
  readonly world: Management;
  readonly timing: Timing;
  readonly clusters: WorkloadClusters;
  readonly stores: Stores;
  /** Calls a machine that waits to be started; the result is its refusal. */
  readonly callTalos: (address: string, talosconfig: string) => Promise<string | undefined>;
  readonly askToken: AskToken;
  /** Of the pod that runs updaters, where the ProviderConfig names none. */
  readonly updaterImage: string;
}

/** Seconds of evictions in one pass: the rest follows with the next. */
const EVICTIONS = 10;

export class Performance {
  readonly #parts: PerformanceParts;
  #connection: WorkloadCluster | undefined;
  /** By namespace and name, as last listed. */
  #uids: ReadonlyMap<string, string | undefined> = new Map();

  constructor(parts: PerformanceParts) {
    this.#parts = parts;
  }

  /** Throws KubeRefusal and Unreachable: the pass ends, and another one begins later. */
  async perform(action: Action, situation: NodeSituation): Promise<NodeSituation> {
    const { client } = this.#parts;
    const { object } = situation;
    const name = nameIn(object);
    switch (action.do) {
      case 'Look':
        return { ...situation, ...(await this.#see(action.at, situation)) };
      case 'Hold': {
        const finalizers = [...(object.metadata?.finalizers ?? []), FINALIZER];
        const patch = { metadata: { finalizers, resourceVersion: object.metadata?.resourceVersion } };
        return { ...situation, object: await client.patch(WORKLOAD_NODES, name, patch, { manager: MANAGER }) };
      }
      case 'Name': {
        const patch = { metadata: { annotations: { [CROSSPLANE.externalName]: action.externalName } } };
        return { ...situation, object: await client.patch(WORKLOAD_NODES, name, patch, { manager: MANAGER }) };
      }
      case 'Track': {
        const usage = await client.apply(USAGES, action.usage, { manager: MANAGER, force: true });
        return { ...situation, config: { found: situation.config?.found, usage } };
      }
      case 'Note': {
        const write = { manager: MANAGER, subresource: 'status' };
        return { ...situation, object: await client.patch(WORKLOAD_NODES, name, { status: action.status }, write) };
      }
      case 'Record': {
        const { resourceVersion } = object.metadata ?? {};
        const patch = { metadata: { resourceVersion }, status: action.status };
        const write = { manager: MANAGER, subresource: 'status' };
        return { ...situation, object: await client.patch(WORKLOAD_NODES, name, patch, write) };
      }
      case 'CallStart': {
        const talosconfig = (await this.#secretOf(object, 'start')) ?? '';
        const refusal = await this.#parts.callTalos(action.address, talosconfig);
        const call = { address: action.address, ...(refusal === undefined ? {} : { refusal }) };
        return { ...situation, calls: [...(situation.calls ?? []), call] };
      }
      case 'DropToken':
        return { ...situation, ...(await dropToken(client, object)) };
      default:
        return this.#onCluster(action, situation);
    }
  }

  async #onCluster(action: Action, situation: NodeSituation): Promise<NodeSituation> {
    if (this.#connection === undefined) throw new Error(`${action.do} before the workload cluster was looked at`);
    const { client } = this.#connection;
    switch (action.do) {
      case 'AdmitToken': {
        const token = await this.#secretOf(situation.object, 'join');
        return { ...situation, ...(await admit(client, action, token, nameIn(situation.object))) };
      }
      case 'RequestToken': {
        const { askToken: ask, client: management } = this.#parts;
        const parts = { management, workload: client, ask };
        return { ...situation, ...(await requestToken(parts, action, situation.object)) };
      }
      case 'ExpireToken':
        return { ...situation, ...(await expire(client, action)) };
      case 'WithdrawToken':
        await withdraw(client, action.tokenSecret);
        return { ...situation, withdrawn: true };
      case 'PatchNode': {
        const patch = precise(action.patch, action.uid, nodeIn(situation));
        const node = await client.patch(NODES, { name: action.name }, patch, { manager: MANAGER });
        const after = slimNode(node, keysUsed(situation.object));
        return { ...situation, workload: withNode(situation.workload, action.uid, after) };
      }
      case 'Evict':
        return { ...situation, evictions: await this.#evict(client, action, situation.evictions) };
      case 'RunUpdaters':
        return { ...situation, run: await this.#run(client, action, situation) };
      case 'ClearRun': {
        await clearRun(client, action.pod);
        const write = { manager: MANAGER, subresource: 'status' };
        const { status } = action;
        const { object } = situation;
        return {
          ...situation,
          object: await this.#parts.client.patch(WORKLOAD_NODES, nameIn(object), { status }, write),
        };
      }
      case 'LeaveStore':
        return { ...situation, ...(await this.#parts.stores.leave(situation.object, client, action.member)) };
      case 'Approve':
        await approve(client, action.request, action.uid);
        return withoutRequest(situation, action.request);
      case 'DeleteNode':
        await client.delete(NODES, { name: action.name }, action.uid);
        return {
          ...situation,
          workload: withNode(situation.workload, action.uid, undefined),
          deleted: { because: action.because },
        };
      default:
        throw new Error(`provider-node cannot do ${action.do} yet`);
    }
  }

  async #evict(
    client: KubeClient,
    { pods, gracePeriodSeconds }: Extract<Action, { do: 'Evict' }>,
    before: NodeSituation['evictions'],
  ): Promise<ReadonlyMap<string, Eviction>> {
    const { timing } = this.#parts;
    const end = timing.elapsed() + EVICTIONS * 1000;
    const results = new Map<string, Eviction>(before);
    for (const pod of pods) {
      const key = `${pod.namespace}/${pod.name}`;
      const isLate = timing.elapsed() > end;
      results.set(key, isLate ? LATER : await evict(client, pod, this.#uids.get(key), gracePeriodSeconds));
    }
    return results;
  }

  async #run(
    client: KubeClient,
    { id, updaters, seconds }: Extract<Action, { do: 'RunUpdaters' }>,
    situation: NodeSituation,
  ): Promise<NonNullable<NodeSituation['run']>> {
    const { object } = situation;
    const run = runOf(situation, id, updaters);
    const config = this.#parts.world.configOf(object);
    const image = stringAt(config, 'spec', 'updaterImage') ?? this.#parts.updaterImage;
    const scripts = (await this.#scripts(object)) ?? {};
    return startRun(client, run, { image, seconds, scripts });
  }

  async #see(observation: Observation, situation: NodeSituation): Promise<Partial<NodeSituation>> {
    const { object } = situation;
    switch (observation) {
      case 'Config': {
        const { world } = this.#parts;
        return { config: { found: world.configOf(object), usage: world.usageOf(object) } };
      }
      case 'StartSecret':
        return { hasStartSecret: (await this.#secretOf(object, 'start')) !== undefined };
      case 'JoinToken':
        return { joinToken: joinTokenOf(await this.#secretOf(object, 'join')) };
      case 'HeldToken':
        return { heldToken: await heldToken(this.#parts.client, object) };
      case 'Scripts':
        return { scripts: new Set(Object.keys((await this.#scripts(object)) ?? {})) };
      case 'Workload':
        return { workload: await this.#workload(object) };
      case 'Pods': {
        if (this.#connection === undefined) return {};
        const pods = await podsOn(this.#connection.client, nameOfNode(situation), asksForNamespaces(object));
        this.#uids = new Map(
          pods.items.map(({ metadata }) => [`${metadata?.namespace}/${metadata?.name}`, metadata?.uid]),
        );
        return { pods };
      }
      case 'Volumes': {
        const node = nodeIn(situation);
        if (this.#connection === undefined || node === undefined) return { volumes: [] };
        return { volumes: await volumesOn(this.#connection.client, node) };
      }
      case 'Certificates':
        return { certificates: (await this.#connection?.certificatesOf(nameOfNode(situation))) ?? { requests: [] } };
      case 'Etcd':
        return { etcd: await this.#parts.stores.see(object, this.#connection?.client) };
      default: {
        observation satisfies 'Run';
        if (this.#connection === undefined) return {};
        const id = stringAt(object, 'spec', 'update', 'id') ?? '';
        const scripts = await this.#scripts(object);
        return { run: await lookAtRun(this.#connection.client, runOf(situation, id, []), scripts) };
      }
    }
  }

  async #workload(object: KubeObject): Promise<NonNullable<NodeSituation['workload']>> {
    const { clusters, world } = this.#parts;
    const config = world.configOf(object);
    if (config !== undefined && requestOf(object) !== undefined) clusters.distrust(config);
    const connection = await clusters.connect(object, config);
    if ('cause' in connection) return connection;
    this.#connection = connection;
    const nodes = await this.#nodes(connection, object);
    const uids = new Set(nodes.map(uidOf));
    const managers = world.peersOf(object).filter((peer) => uids.has(knownUid(peer) ?? ''));
    return { nodes, managers };
  }

  /** What its object reads may be in no cache, such as annotations: then the Node is read anew. */
  async #nodes(connection: WorkloadCluster, object: KubeObject): Promise<readonly KubeObject[]> {
    const nodes = connection.nodesOf(object);
    const { node } = identify(object, nodes);
    if (node === undefined || connection.has(object, node)) return nodes;
    const now = await connection.client.find(NODES, { name: nameOf(node) });
    const others = nodes.filter((one) => one !== node);
    return now === undefined ? others : [...others, slimNode(now, keysUsed(object))];
  }

  /** What the Secret that a part of the spec refers to has under its key. */
  async #secretOf(object: KubeObject, part: 'start' | 'join'): Promise<string | undefined> {
    const name = stringAt(object, 'spec', part, 'secretRef', 'name') ?? '';
    const secret = await this.#parts.client.find(SECRETS, { namespace: object.metadata?.namespace, name });
    return dataAt(secret, stringAt(object, 'spec', part, 'secretRef', 'key') ?? '');
  }

  /** By name of the updater, in base64; undefined: there is no such Secret. */
  async #scripts(object: KubeObject): Promise<JsonObject | undefined> {
    const name = stringAt(object, 'spec', 'update', 'payloadSecretRef', 'name');
    if (name === undefined) return undefined;
    const secret = await this.#parts.client.find(SECRETS, { namespace: object.metadata?.namespace, name });
    return secret && ((at(secret, 'data') as JsonObject | undefined) ?? {});
  }
}

function asksForNamespaces(object: KubeObject): boolean {
  const { rules } = drainAsked(object);
  return rules.some(({ namespaceSelector: { matchLabels, matchExpressions } }) => {
    return Object.keys(matchLabels).length > 0 || matchExpressions.length > 0;
  });
}

/** What is seen of requests may be a moment old. */
function withoutRequest(situation: NodeSituation, name: string): NodeSituation {
  const { requests = [], ...others } = situation.certificates ?? {};
  return { ...situation, certificates: { ...others, requests: requests.filter((one) => one.name !== name) } };
}

/** Its turn comes with the next pass. */
const LATER: Eviction = { isBudget: false, refusal: 'other pods were evicted first' };

/** Only for this Node; where lists are written as a whole, only for the version that was read. */
function precise(patch: JsonObject, uid: string, node: unknown): JsonObject {
  const isWhole = at(patch, 'spec', 'taints') !== undefined;
  const version = isWhole ? { resourceVersion: stringAt(node, 'metadata', 'resourceVersion') } : {};
  return { ...patch, metadata: { ...(at(patch, 'metadata') as JsonObject | undefined), uid, ...version } };
}

/** The run of an update on the Node that was found. */
function runOf(situation: NodeSituation, id: string, updaters: readonly string[]): Run {
  const node = nodeIn(situation);
  if (node === undefined) throw new Error('an update is run before its Node was found');
  return { node: { name: nameOf(node), uid: uidOf(node) }, id, updaters };
}

/** The name of its Node, which the cloud may have chosen. */
function nameOfNode(situation: NodeSituation): string {
  const node = nodeIn(situation);
  return node === undefined ? nameAsked(situation.object) : nameOf(node);
}

function nodeIn({ object, workload }: NodeSituation): KubeObject | undefined {
  return workload === undefined || 'cause' in workload ? undefined : identify(object, workload.nodes).node;
}

function keysUsed(object: KubeObject): Keys {
  return { labels: labelsUsed(object), annotations: annotationsUsed(object) };
}

/** @param node  as it is now; undefined: it is gone */
function withNode(
  workload: NodeSituation['workload'],
  uid: string,
  node: KubeObject | undefined,
): NonNullable<NodeSituation['workload']> {
  if (workload === undefined || 'cause' in workload) throw new Error('a Node is changed before it was found');
  const others = workload.nodes.filter((one) => uidOf(one) !== uid);
  return { ...workload, nodes: node === undefined ? others : [...others, node] };
}

function nameIn({ metadata }: KubeObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

function dataAt(secret: KubeObject | undefined, key: string): string | undefined {
  const text = stringAt(secret, 'data', key);
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
}
