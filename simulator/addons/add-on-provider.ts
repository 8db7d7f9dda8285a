/**
 * The simulated provider-helm and provider-kubernetes: they reach a cluster by the kubeconfig of their ProviderConfig,
 * take a while, and report. Of what they apply, only a pod network has an effect.
 */
import { type Condition, falseCondition, SYNCED, notSynced, trueCondition } from '#lib/api/conditions.ts';
import { at, canonical, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { HELM_API_VERSION, KUBERNETES_API_VERSION } from '#lib/api/words.ts';
import { withReport } from '#lib/node/status.ts';
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Journal } from '../facts/journal.ts';
import { connectBy, type Clusters } from '../nodes/connection.ts';
import type { WorkloadCluster } from '../nodes/workload-cluster.ts';
import { isDeleting, metaOf, uidOf, withFinalizer, withoutFinalizer } from '../store/object.ts';
import { type ObjectRef, keyOf, refOf } from '../store/ref.ts';
import type { Store } from '../store/store.ts';
import { bringsNetwork } from './networks.ts';

const MANAGER = 'add-on-providers';
const FINALIZER = 'finalizer.managedresource.crossplane.io';
/** Seconds. */
const LAG = 0.3;
const RETRY = 10;
const APPLY: Readonly<Record<string, readonly [number, number]>> = { Release: [10, 25], Object: [1, 3] };

export interface AddOnProviderParts {
  readonly store: Store;
  readonly clock: Scheduler;
  readonly dice: Dice;
  readonly journal: Journal;
  readonly clusters: Clusters;
  /** Called when nodes of a cluster changed. */
  readonly onNodes: (cluster: WorkloadCluster) => void;
}

export class AddOnProvider {
  readonly #parts: AddOnProviderParts;
  readonly #queued = new Set<string>();
  /** What was applied last, by uid. */
  readonly #applied = new Map<string, string>();
  /** What is being applied, by uid. */
  readonly #begun = new Map<string, string>();

  constructor(parts: AddOnProviderParts) {
    this.#parts = parts;
    const { kinds } = parts.store;
    for (const [apiVersion, kind] of [
      [HELM_API_VERSION, 'Release'],
      [HELM_API_VERSION, 'ProviderConfig'],
      [KUBERNETES_API_VERSION, 'Object'],
      [KUBERNETES_API_VERSION, 'ProviderConfig'],
    ] as const)
      kinds.defineOpen(apiVersion, kind);
    parts.store.onChange(({ type, object }) => {
      if (type !== 'deleted' && isAddOn(object)) this.#queue(refOf(object), LAG);
    });
  }

  #queue(ref: ObjectRef, seconds: number): void {
    const key = keyOf(ref);
    if (this.#queued.has(key)) return;
    this.#queued.add(key);
    this.#parts.clock.after(seconds, () => {
      this.#queued.delete(key);
      const object = this.#parts.store.find(ref);
      if (object !== undefined) this.#look(object);
    });
  }

  #look(object: KubeObject): void {
    const { store, clock, dice } = this.#parts;
    if (isDeleting(object)) return void store.update(withoutFinalizer(object, FINALIZER), MANAGER);
    if ((metaOf(object).finalizers ?? []).length === 0)
      return void store.update(withFinalizer(object, FINALIZER), MANAGER);
    const wanted = canonical(at(object.spec, 'forProvider'));
    const uid = uidOf(object);
    if (this.#applied.get(uid) === wanted || this.#begun.get(uid) === wanted) return;
    const connection = this.#connect(object);
    if ('cause' in connection) {
      this.#report(object, [notSynced(connection.cause)]);
      return this.#queue(refOf(object), RETRY);
    }
    this.#begun.set(uid, wanted);
    if (!this.#applied.has(uid)) this.#report(object, [SYNCED, falseCondition('Ready', 'Creating')]);
    const [least, most] = APPLY[object.kind] ?? [1, 3];
    clock.after(dice.between(least, most, 'add-on', metaOf(object).name ?? '', wanted), () =>
      this.#finish(refOf(object), wanted, connection.cluster),
    );
  }

  #finish(ref: ObjectRef, wanted: string, cluster: WorkloadCluster): void {
    const object = this.#parts.store.find(ref);
    if (object === undefined || isDeleting(object)) return;
    const forProvider = JSON.parse(wanted) as JsonObject;
    this.#applied.set(uidOf(object), wanted);
    const version = stringAt(forProvider, 'chart', 'version');
    const atProvider = version === undefined ? {} : { atProvider: { state: 'deployed', version } };
    this.#report(object, [SYNCED, trueCondition('Ready', 'Available')], atProvider);
    if (!bringsNetwork(forProvider) || cluster.hasNetwork) return;
    cluster.bringNetwork();
    this.#parts.journal.moment(ref, `brought the pod network of ${cluster.endpoint}`);
    this.#parts.onNodes(cluster);
  }

  #report(object: KubeObject, conditions: readonly Condition[], status: JsonObject = {}): void {
    const { store, clock } = this.#parts;
    const reported = withReport(object, { status, conditions }, clock.now.getTime());
    if (reported !== object) store.updateStatus(reported, MANAGER);
  }

  #connect(object: KubeObject): ReturnType<typeof connectBy> {
    const { store, clusters } = this.#parts;
    const { namespace = '' } = metaOf(object);
    const name = stringAt(object.spec, 'providerConfigRef', 'name') ?? '';
    const config = store.find({ apiVersion: object.apiVersion, kind: 'ProviderConfig', namespace, name });
    const secret = at(config, 'spec', 'credentials', 'secretRef');
    if (secret === undefined)
      return { cause: `connect failed: ProviderConfig "${namespace}/${name}" not found`, isMissing: true };
    const key = { namespace, name: stringAt(secret, 'name') ?? '', key: stringAt(secret, 'key') ?? '' };
    return connectBy(store, clusters, key);
  }
}

function isAddOn({ apiVersion, kind }: KubeObject): boolean {
  return (
    (apiVersion === HELM_API_VERSION && kind === 'Release') ||
    (apiVersion === KUBERNETES_API_VERSION && kind === 'Object')
  );
}
