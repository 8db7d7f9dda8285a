/** The simulated provider-node keeps the ProviderConfigs in use. */
import type { KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE, NODE_API_VERSION } from '#lib/api/words.ts';
import { type FinalizerVerdict, configRefOf, decideConfig, IN_USE, refersTo } from '#lib/node/config.ts';
import { decidePoolUsage, isOfPool, waitsFor } from '#lib/node/pool-usage.ts';
import { withReport } from '#lib/node/status.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { labelsOf, metaOf, uidOf, withFinalizer, withoutFinalizer } from '../store/object.ts';
import { type ObjectRef, keyOf, refOf } from '../store/ref.ts';
import type { Change, Store } from '../store/store.ts';
import { MANAGER, WORKLOAD_NODE } from './words.ts';

const USAGE = { apiVersion: NODE_API_VERSION, kind: 'ProviderConfigUsage' } as const;
const CONFIGS: ReadonlySet<string> = new Set(['ProviderConfig', 'ClusterProviderConfig']);
/** Seconds. */
const LAG = 0.3;

export class ConfigProvider {
  readonly #store: Store;
  readonly #clock: Scheduler;
  readonly #queued = new Set<string>();
  /** Virtual second until which nothing is done. */
  #stopped = 0;

  constructor(store: Store, clock: Scheduler) {
    this.#store = store;
    this.#clock = clock;
    store.onChange((change) => this.#notice(change));
  }

  stop(seconds: number): void {
    this.#stopped = this.#clock.end(seconds);
  }

  #notice({ type, object }: Change): void {
    if (object.apiVersion !== NODE_API_VERSION) return;
    if (CONFIGS.has(object.kind) && type !== 'deleted') this.#queue(refOf(object));
    if (object.kind === USAGE.kind)
      this.#queue(isOfPool(object) && type !== 'deleted' ? refOf(object) : usedBy(object));
    if (object.kind === WORKLOAD_NODE.kind && type === 'deleted') this.#queueUsagesFor(object);
    if (object.kind === WORKLOAD_NODE.kind && type !== 'changed') {
      const { kind, namespace, name } = configRefOf(object);
      this.#queue({ apiVersion: NODE_API_VERSION, kind, name, ...(namespace === undefined ? {} : { namespace }) });
    }
  }

  #queue(ref: ObjectRef, due = this.#clock.end(LAG)): void {
    const key = keyOf(ref);
    if (this.#queued.has(key)) return;
    this.#queued.add(key);
    this.#clock.at(due, () => {
      this.#queued.delete(key);
      if (this.#stopped > this.#clock.seconds) return this.#queue(ref, this.#stopped + LAG);
      const object = this.#store.find(ref);
      if (object === undefined) return;
      if (isOfPool(object)) this.#hold(object, decidePoolUsage(object, this.#store.list(WORKLOAD_NODE)));
      else this.#look(object);
    });
  }

  #queueUsagesFor(node: KubeObject): void {
    for (const usage of this.#store.list({ ...USAGE, namespace: metaOf(node).namespace }))
      if (waitsFor(usage, node)) this.#queue(refOf(usage));
  }

  #look(config: KubeObject): void {
    const { namespace } = metaOf(config);
    const nodes = this.#store.list({ ...WORKLOAD_NODE, namespace }).filter((node) => refersTo(node, config));
    // A usage goes with its WorkloadNode; another API server may tell so later.
    const users = new Set(nodes.map(uidOf));
    const usages = this.#store
      .list({ ...USAGE, namespace })
      .filter((usage) => keyOf(usedBy(usage)) === keyOf(refOf(config)) && users.has(metaOf(usage).name ?? ''));
    const { conditions, finalizer } = decideConfig(config, nodes, usages);
    let object = config;
    const reported = withReport(object, { status: {}, conditions }, this.#clock.now.getTime());
    if (reported !== object) object = this.#store.updateStatus(reported, MANAGER);
    this.#hold(object, finalizer);
  }

  #hold(object: KubeObject, verdict: FinalizerVerdict | undefined): void {
    if (verdict === 'Add') this.#store.update(withFinalizer(object, IN_USE), MANAGER);
    if (verdict === 'Remove') this.#store.update(withoutFinalizer(object, IN_USE), MANAGER);
  }
}

/** The configuration that a usage is about. */
function usedBy(usage: KubeObject): ObjectRef {
  const { [CROSSPLANE.providerConfig]: name = '', [CROSSPLANE.providerConfigKind]: kind = '' } = labelsOf(usage);
  const { namespace } = metaOf(usage);
  const isLocal = kind === 'ProviderConfig' && namespace !== undefined;
  return { apiVersion: NODE_API_VERSION, kind, name, ...(isLocal ? { namespace } : {}) };
}
