/**
 * What provider-node counts for Prometheus. Names and labels that begin with `crossplane_` are those of every provider,
 * so that dashboards show them beside each other.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { conditionOf } from '#lib/api/conditions.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { timeOf } from '#lib/api/fields/text.ts';
import { WORKLOAD_NODES } from './kinds.ts';

/** Which API was asked. */
export type Asked = 'management' | 'workload';

export interface Now {
  readonly objects: readonly KubeObject[];
  /** Keys of the queue that wait for their turn. */
  readonly waiting: number;
  /** ProviderConfigs whose workload clusters are cut off, as `namespace/name`. */
  readonly cutOff: readonly string[];
}

/** As crossplane-runtime writes a kind. */
const GVK = `${WORKLOAD_NODES.apiVersion}, Kind=${WORKLOAD_NODES.kind}`;
/** Seconds. */
const BUCKETS = [1, 5, 10, 15, 30, 60, 120, 300, 600, 1500, 3600, 7200];

export class Metrics {
  readonly #requests: Counter;
  readonly #looks: Counter;
  readonly #failures: Counter;
  readonly #readiness: Histogram;
  readonly #deletion: Histogram;
  /** By uid: objects that were never ready. */
  readonly #never = new Set<string>();

  /** @param now  asked for at each scrape */
  constructor(registry: Registry, now: () => Now) {
    const registers = [registry];
    const count = (name: string, help: string, labelNames: readonly string[] = []): Counter =>
      new Counter({ name, help, labelNames: [...labelNames], registers });
    const time = (name: string, help: string): Histogram =>
      new Histogram({ name, help, labelNames: ['gvk'], buckets: BUCKETS, registers });
    const gauge = (name: string, help: string, labels: Readonly<Record<string, string>>, value: () => number): Gauge =>
      new Gauge({
        name,
        help,
        labelNames: Object.keys(labels),
        registers,
        collect() {
          this.set(labels, value());
        },
      });
    const objects = (name: string, help: string, is: (object: KubeObject) => boolean): Gauge =>
      gauge(`crossplane_managed_resource_${name}`, help, { gvk: GVK }, () => now().objects.filter(is).length);
    objects('exists', 'Managed resources that exist.', () => true);
    objects('ready', 'Managed resources with Ready=True.', (object) => isTrue(object, 'Ready'));
    objects('synced', 'Managed resources with Synced=True.', (object) => isTrue(object, 'Synced'));
    gauge('slipway_waiting_objects', 'Objects that wait for their turn.', {}, () => now().waiting);
    const cutOff = new Gauge({
      name: 'slipway_cut_off_clusters',
      help: 'Workload clusters that exceed their budget, by ProviderConfig.',
      labelNames: ['config'],
      registers: [],
      collect() {
        this.reset();
        for (const config of now().cutOff) this.set({ config }, 1);
      },
    });
    registry.registerMetric(cutOff);
    this.#readiness = time(
      'crossplane_managed_resource_first_time_to_readiness_seconds',
      'From the creation of a managed resource until it is ready for the first time.',
    );
    this.#deletion = time(
      'crossplane_managed_resource_deletion_seconds',
      'From the request to delete a managed resource until it may go.',
    );
    this.#requests = count('slipway_api_requests_total', 'Requests to Kubernetes APIs, watches aside.', [
      'cluster',
      'method',
      'code',
    ]);
    this.#looks = count('slipway_looks_total', 'Looks at an object.');
    this.#failures = count('slipway_failed_looks_total', 'Looks at an object that failed, and are tried again.');
  }

  answered(cluster: Asked, method: string, status: number): void {
    this.#requests.inc({ cluster, method, code: String(status) });
  }

  looked(): void {
    this.#looks.inc();
  }

  failed(): void {
    this.#failures.inc();
  }

  /** @param now  milliseconds since 1970 */
  reported(before: KubeObject, after: KubeObject, now: number): void {
    const { uid = '' } = after.metadata ?? {};
    if (before.status?.['nodeRef'] === undefined) this.#never.add(uid);
    if (!isTrue(after, 'Ready') || !this.#never.delete(uid)) return;
    const created = timeOf(stringAt(after, 'metadata', 'creationTimestamp'));
    if (created !== undefined) this.#readiness.observe({ gvk: GVK }, (now - created) / 1000);
  }

  /** @param now  milliseconds since 1970 */
  released(object: KubeObject, now: number): void {
    this.#never.delete(object.metadata?.uid ?? '');
    const asked = timeOf(object.metadata?.deletionTimestamp);
    if (asked !== undefined) this.#deletion.observe({ gvk: GVK }, (now - asked) / 1000);
  }
}

function isTrue(object: KubeObject, type: string): boolean {
  return conditionOf(object, type)?.status === 'True';
}
