/**
 * Judges a run from outside, only by the objects that exist: a drain ends only while all objects that its Cluster
 * composed exist, no node of an existing Cluster is released without a drain, and in the end nothing is left.
 */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { LABEL, NODE_API_VERSION } from '#lib/api/words.ts';
import type { Engine, Happening, ObjectRef } from '#simulator/engine.ts';
import { CLUSTER, NAMESPACE } from './stage.ts';

/** Seconds; one less than in the claim, because a deletionTimestamp has whole seconds. */
const DRAIN_TIMEOUT = 600 - 1;
/** Objects that a drain does not need. */
const NO_TOOLS: ReadonlySet<string> = new Set(['Usage', 'NodePool']);

interface Seen {
  readonly object: KubeObject;
  /** Second at which it was deleted. */
  readonly deleted: number | undefined;
}

export class Judge {
  readonly broken: string[] = [];
  /** All objects in the namespace. */
  readonly #living = new Map<string, Seen>();
  /** Objects that Clusters composed, by name; none may be deleted before their nodes are drained. */
  readonly #tools = new Map<string, ObjectRef>();
  readonly #drained = new Set<string>();
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
    engine.subscribe((happening) => this.#notice(happening));
  }

  get left(): readonly KubeObject[] {
    return [...this.#living.values()].map(({ object }) => object);
  }

  get drained(): number {
    return this.#drained.size;
  }

  /** What must hold once everything was deleted. */
  end(): void {
    const left = this.left.map((object) => `${object.kind}/${object.metadata?.name} ${said(object)}`);
    if (left.length > 0) this.broken.push(`${left.length} objects are left: ${left.slice(0, 4).join('; ')}`);
    const { counters, violations } = this.#engine.snapshot();
    if (counters.cloudObjects > 0) this.broken.push(`${counters.cloudObjects} cloud objects are left`);
    this.broken.push(...violations);
  }

  #notice(happening: Happening): void {
    if (happening.type === 'moment' && happening.moment.text.includes('was drained and removed'))
      this.#judgeDrain(happening.moment.ref);
    if (happening.type !== 'object' || happening.ref.namespace !== NAMESPACE) return;
    const key = keyOf(happening.ref);
    const before = this.#living.get(key);
    const object = this.#engine.get(happening.ref);
    if (happening.change === 'deleted' || object === undefined) {
      this.#living.delete(key);
      if (before !== undefined) this.#judgeGone(happening.ref, before);
      return;
    }
    const isDeleting = object.metadata?.deletionTimestamp !== undefined;
    this.#living.set(key, { object, deleted: before?.deleted ?? (isDeleting ? happening.at : undefined) });
    if (happening.change === 'created' && ownerKinds(object).includes('Cluster') && !NO_TOOLS.has(object.kind))
      this.#tools.set(key, happening.ref);
  }

  #judgeDrain(ref: ObjectRef): void {
    this.#drained.add(keyOf(ref));
    const object = this.#engine.get(ref);
    for (const tool of [...needs(object), ...(this.#isNamespaceGoing() ? [] : this.#tools.values())])
      if (!this.#isThere(tool))
        this.broken.push(`${ref.name} was drained when ${tool.kind} ${tool.name} was gone or going`);
  }

  /**
   * A registered node is deleted without a drain only on the control plane of a Cluster that is being deleted, or after
   * the drain timeout.
   */
  #judgeGone(ref: ObjectRef, { object, deleted }: Seen): void {
    if (ref.kind !== 'WorkloadNode' || at(object, 'status', 'nodeRef') === undefined) return;
    if (this.#drained.has(keyOf(ref)) || this.#isNamespaceGoing()) return;
    const isWorker = object.metadata?.labels?.[LABEL.role] === 'worker';
    if (!isWorker && !this.#isThere(CLUSTER)) return;
    if (deleted !== undefined && this.#engine.seconds - deleted >= DRAIN_TIMEOUT) return;
    this.broken.push(`${ref.name} was let go without a drain`);
  }

  #isThere(ref: ObjectRef): boolean {
    const object = this.#engine.get(ref);
    return object !== undefined && object.metadata?.deletionTimestamp === undefined;
  }

  #isNamespaceGoing(): boolean {
    return !this.#isThere({ apiVersion: 'v1', kind: 'Namespace', name: NAMESPACE });
  }
}

/** The kubeconfig's Secret and the ProviderConfig. */
function needs(node: KubeObject | undefined): readonly ObjectRef[] {
  const name = stringAt(node, 'spec', 'providerConfigRef', 'name') ?? '';
  return [
    { apiVersion: NODE_API_VERSION, kind: 'ProviderConfig', namespace: NAMESPACE, name },
    { apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE, name: `${name}-kubeconfig` },
  ];
}

export function ownerKinds({ metadata }: KubeObject): readonly string[] {
  const owners: unknown = metadata?.['ownerReferences'];
  return Array.isArray(owners) ? owners.map((owner: unknown) => stringAt(owner, 'kind') ?? '') : [];
}

function said({ status, metadata }: KubeObject): string {
  const conditions: unknown = status?.['conditions'];
  const synced: unknown = Array.isArray(conditions)
    ? conditions.find((one) => stringAt(one, 'type') === 'Synced')
    : undefined;
  const going = metadata?.deletionTimestamp === undefined ? 'not deleted' : (metadata.finalizers ?? []).join();
  return `(${going}; ${stringAt(synced, 'message') ?? ''})`;
}

function keyOf({ apiVersion, kind, name }: ObjectRef): string {
  return `${apiVersion.split('/')[0]}|${kind}|${name}`;
}
