/**
 * The simulated provider-node: reconciles WorkloadNodes when something changed or is due, and executes the decisions of
 * `lib/node` on simulated Nodes. etcd membership is not simulated.
 */
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { type KubeObject, at, sameJson, stringAt } from '#lib/api/json.ts';
import { customResourceDefinition } from '#lib/api/schema/definition.ts';
import { NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { configRefOf } from '#lib/node/config.ts';
import { decide } from '#lib/node/decide.ts';
import { knownUid } from '#lib/node/identity.ts';
import { FINALIZER } from '#lib/node/leaving.ts';
import type { Verdict } from '#lib/node/decision.ts';
import { nameAsked } from '#lib/node/node.ts';
import type { NodeSituation } from '#lib/node/situation.ts';
import { withReport } from '#lib/node/status.ts';
import type { Dice } from '../clock/dice.ts';
import { kindOfCrd } from '../store/definitions.ts';
import { isDeleting, metaOf, withoutFinalizer } from '../store/object.ts';
import { type ObjectRef, keyOf, refOf } from '../store/ref.ts';
import { ConfigProvider } from './config-provider.ts';
import { NodeLook, type NodeLookParts } from './node-look.ts';
import { PlayedNodes } from './played-nodes.ts';
import { MANAGER, WORKLOAD_NODE } from './words.ts';

export interface NodeProviderParts extends Omit<NodeLookParts, 'foundBy'> {
  readonly dice: Dice;
  /** Share of updaters that fail on a node. */
  readonly failing: number;
}

/** Seconds. */
const LAG = 0.3;
const SHORTEST = 0.1;

export class NodeProvider {
  readonly #parts: NodeProviderParts;
  readonly #played: PlayedNodes;
  readonly #configs: ConfigProvider;
  readonly #due = new Map<string, number>();
  /** WorkloadNodes by the Secrets that they name. */
  readonly #users = new Map<string, Map<string, ObjectRef>>();
  /** WorkloadNodes by the uids of the Nodes that they have found. */
  readonly #finders = new Map<string, Map<string, ObjectRef>>();
  /** Updates that succeeded, by Node and id. */
  readonly #updated = new Set<string>();
  /** Second until which nothing is done. */
  #stopped = 0;

  constructor(parts: NodeProviderParts) {
    this.#parts = parts;
    this.#played = new PlayedNodes(parts);
    for (const definition of NODE_KINDS) parts.store.kinds.define(kindOfCrd(customResourceDefinition(definition)));
    parts.store.onChange(({ type, object }) => {
      if (object.apiVersion !== NODE_API_VERSION && object.kind !== 'Secret') return;
      if (object.kind === WORKLOAD_NODE.kind && type !== 'deleted') {
        this.#noteSecrets(object);
        this.#noteFound(object);
        this.#queue(refOf(object));
      }
      if (object.kind === WORKLOAD_NODE.kind || (type === 'changed' && !isDeleting(object))) return;
      if (object.kind === 'Secret' && !this.#isOfConfig(object)) this.#lookAtUsersOf(object);
      else this.lookAtAll(metaOf(object).namespace);
    });
    this.#configs = new ConfigProvider(parts.store, parts.clock);
  }

  /** Nodes or credentials changed: this may affect every WorkloadNode. */
  lookAtAll(namespace?: string): void {
    for (const node of this.#parts.store.list({ ...WORKLOAD_NODE, namespace })) this.#queue(refOf(node));
  }

  /** Most Secrets are those of machines: nobody looks at a thousand nodes for each of them. */
  #noteSecrets(node: KubeObject): void {
    const { spec } = node;
    const names = [
      ...['secretRef', 'authSecretRef'].map((field) => stringAt(spec, 'join', field, 'name')),
      stringAt(spec, 'start', 'secretRef', 'name'),
      stringAt(spec, 'update', 'payloadSecretRef', 'name'),
    ];
    for (const name of names) {
      if (name === undefined) continue;
      const key = `${metaOf(node).namespace}/${name}`;
      const users = this.#users.get(key) ?? new Map<string, ObjectRef>();
      this.#users.set(key, users.set(keyOf(refOf(node)), refOf(node)));
    }
  }

  #noteFound(object: KubeObject): void {
    const uid = knownUid(object);
    if (uid === undefined) return;
    const finders = this.#finders.get(uid) ?? new Map<string, ObjectRef>();
    this.#finders.set(uid, finders.set(keyOf(refOf(object)), refOf(object)));
  }

  #foundBy(uids: readonly string[], object: KubeObject): readonly KubeObject[] {
    const finders = uids.flatMap((uid) => [...(this.#finders.get(uid)?.values() ?? [])]);
    const present = finders.flatMap((ref) => this.#parts.store.find(ref) ?? []);
    return present.filter((one) => sameJson(configRefOf(one), configRefOf(object)));
  }

  #lookAtUsersOf({ metadata }: KubeObject): void {
    for (const node of this.#users.get(`${metadata?.namespace}/${metadata?.name}`)?.values() ?? []) this.#queue(node);
  }

  /** Credentials of a cluster are in it. */
  #isOfConfig({ metadata }: KubeObject): boolean {
    const { store } = this.#parts;
    const configs = ['ProviderConfig', 'ClusterProviderConfig'].flatMap((kind) =>
      store.list({ apiVersion: NODE_API_VERSION, kind }),
    );
    return configs.some(({ spec }) => JSON.stringify(spec).includes(JSON.stringify(metadata?.name)));
  }

  stop(seconds: number): void {
    this.#stopped = this.#parts.clock.end(seconds);
    this.#configs.stop(seconds);
  }

  /** @param due virtual second; default: when a watch would report it */
  #queue(ref: ObjectRef, due = this.#parts.clock.end(LAG)): void {
    const key = keyOf(ref);
    const known = this.#due.get(key);
    if (known !== undefined && known <= due) return;
    this.#due.set(key, due);
    this.#parts.clock.at(due, () => {
      if (this.#due.get(key) !== due) return;
      this.#due.delete(key);
      if (this.#stopped > this.#parts.clock.seconds) return this.#queue(ref, this.#stopped + LAG);
      const object = this.#parts.store.find(ref);
      if (object !== undefined) this.#look(object);
    });
  }

  #look(object: KubeObject): void {
    const foundBy = (uids: readonly string[], one: KubeObject) => this.#foundBy(uids, one);
    const look = new NodeLook({ ...this.#parts, foundBy }, this.#played);
    let situation: NodeSituation = { object, now: this.#parts.clock.now.getTime() };
    for (;;) {
      const decision = decide(situation);
      if ('end' in decision) return this.#conclude(situation.object, decision.end, look);
      situation = look.perform(decision.next, situation);
    }
  }

  #conclude(object: KubeObject, { report, release, again, tell = [] }: Verdict, look: NodeLook): void {
    const { store, clock, journal } = this.#parts;
    if (report !== undefined) {
      const reported = withReport(object, report, clock.now.getTime());
      this.#noteUpdate(object, reported, look);
      store.updateStatus(reported, MANAGER);
    }
    for (const { message } of tell) journal.moment(refOf(object), message);
    if (release === undefined) return this.#lookAgain(object, again, look);
    if (release.undrained !== undefined)
      journal.moment(refOf(object), `Node "${nameAsked(object)}" was let go without a drain: ${release.undrained}`);
    store.update(withoutFinalizer(store.get(refOf(object)), FINALIZER), MANAGER);
  }

  #lookAgain(object: KubeObject, { due = Infinity, poll = Infinity }: Verdict['again'], look: NodeLook): void {
    const { clock } = this.#parts;
    const found = look.found(object);
    const change = (found && this.#played.nextChange(object, found.node)) ?? clock.end(poll);
    const least = clock.end(isDeleting(object) ? LAG : SHORTEST);
    const next = Math.min(clock.seconds + due, change);
    if (next !== Infinity) this.#queue(refOf(object), Math.max(least, next));
  }

  /** The timeline shows how an update ended. An update that ends twice on a Node was run twice. */
  #noteUpdate(before: KubeObject, after: KubeObject, look: NodeLook): void {
    const id = stringAt(after, 'status', 'update', 'id') ?? '';
    const phase = stringAt(after, 'status', 'update', 'phase');
    const node = look.found(after)?.node;
    const isReported = id === stringAt(before, 'status', 'update', 'id') && phase === updatePhase(before);
    if (node === undefined || isReported || !hasEnded(phase)) return;
    const { journal } = this.#parts;
    const succeeded = phase === 'Succeeded';
    if (this.#updated.has(`${node.uid} ${id}`)) journal.violation(`Node ${node.name} is updated twice for ${id}`);
    if (succeeded) this.#updated.add(`${node.uid} ${id}`);
    journal.count(succeeded ? 'nodesUpdated' : 'nodeUpdatesFailed', node.controlPlane ? 'control-plane' : 'worker');
    const message = stringAt(at(after, 'status', 'update'), 'message');
    journal.moment(refOf(after), succeeded ? `updated in place (${id})` : `update ${id} failed: ${message}`);
  }
}

function updatePhase(object: KubeObject): string | undefined {
  return stringAt(object, 'status', 'update', 'phase');
}
