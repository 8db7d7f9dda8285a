/**
 * A ProviderConfig stays while it is used, so that its kubeconfig can be found while Nodes are drained; the usage of a
 * pool, until the last of its nodes is gone.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { isStale, KubeRefusal } from '#lib/kube/refusal.ts';
import type { Resource } from '#lib/kube/resource.ts';
import type { Timing } from '#lib/kube/timing.ts';
import { type FinalizerVerdict, decideConfig, IN_USE } from '#lib/node/config.ts';
import { decidePoolUsage } from '#lib/node/pool-usage.ts';
import { withReport } from '#lib/node/status.ts';
import { CLUSTER_PROVIDER_CONFIGS, MANAGER, PROVIDER_CONFIGS, USAGES } from './kinds.ts';
import type { Management } from './management.ts';

export interface ConfigReconcilerParts {
  readonly client: KubeClient;
  readonly world: Management;
  readonly timing: Timing;
}

/** Seconds after which an object that changed in the meantime is looked at again. */
const AGAIN = 1;

export class ConfigReconciler {
  readonly #parts: ConfigReconcilerParts;

  constructor(parts: ConfigReconcilerParts) {
    this.#parts = parts;
  }

  /** Returns seconds until the next pass; undefined: when something changes. */
  async reconcile(config: KubeObject): Promise<number | undefined> {
    return this.#attempt(() => this.#write(config));
  }

  /** The ProviderConfigUsage of a pool. Returns as `reconcile`. */
  async reconcileOfPool(usage: KubeObject): Promise<number | undefined> {
    const verdict = decidePoolUsage(usage, this.#parts.world.nodes());
    return this.#attempt(() => this.#hold(USAGES, usage, verdict));
  }

  async #attempt(write: () => Promise<void>): Promise<number | undefined> {
    try {
      await write();
      return undefined;
    } catch (thrown) {
      if (isStale(thrown) || KubeRefusal.has(thrown, 404)) return AGAIN;
      throw thrown;
    }
  }

  async #write(config: KubeObject): Promise<void> {
    const { client, world, timing } = this.#parts;
    const resource = config.kind === PROVIDER_CONFIGS.kind ? PROVIDER_CONFIGS : CLUSTER_PROVIDER_CONFIGS;
    const { name = '', namespace } = config.metadata ?? {};
    const { conditions, finalizer } = decideConfig(config, world.usersOf(config), world.usagesOf(config));
    const reported = withReport(config, { status: {}, conditions }, timing.now());
    if (reported === config) return this.#hold(resource, config, finalizer);
    const { resourceVersion } = config.metadata ?? {};
    const patch = { metadata: { resourceVersion }, status: { ...reported.status } };
    const written = await client.patch(resource, { name, namespace }, patch, {
      manager: MANAGER,
      subresource: 'status',
    });
    return this.#hold(resource, written, finalizer);
  }

  async #hold(resource: Resource, { metadata }: KubeObject, verdict: FinalizerVerdict | undefined): Promise<void> {
    if (verdict === undefined) return;
    const { name = '', namespace, resourceVersion, finalizers = [] } = metadata ?? {};
    const wanted = verdict === 'Add' ? [...finalizers, IN_USE] : finalizers.filter((one) => one !== IN_USE);
    const patch = { metadata: { resourceVersion, finalizers: wanted } };
    await this.#parts.client.patch(resource, { name, namespace }, patch, { manager: MANAGER });
  }
}
