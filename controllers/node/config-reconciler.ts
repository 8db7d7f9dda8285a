/** A ProviderConfig stays while it is used, so that its kubeconfig can be found while Nodes are drained. */
import type { KubeObject } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { isStale, KubeRefusal } from '#lib/kube/refusal.ts';
import type { Timing } from '#lib/kube/timing.ts';
import { decideConfig, IN_USE } from '#lib/node/config.ts';
import { withReport } from '#lib/node/status.ts';
import { CLUSTER_PROVIDER_CONFIGS, MANAGER, PROVIDER_CONFIGS } from './kinds.ts';
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
    try {
      await this.#write(config);
      return undefined;
    } catch (thrown) {
      if (isStale(thrown) || KubeRefusal.has(thrown, 404)) return AGAIN;
      throw thrown;
    }
  }

  async #write(config: KubeObject): Promise<void> {
    const { client, world, timing } = this.#parts;
    const resource = config.kind === PROVIDER_CONFIGS.kind ? PROVIDER_CONFIGS : CLUSTER_PROVIDER_CONFIGS;
    const { name = '', namespace, finalizers = [] } = config.metadata ?? {};
    const { conditions, finalizer } = decideConfig(config, world.usersOf(config), world.usagesOf(config));
    let { resourceVersion } = config.metadata ?? {};
    const reported = withReport(config, { status: {}, conditions }, timing.now());
    if (reported !== config) {
      const patch = { metadata: { resourceVersion }, status: { ...reported.status } };
      const written = await client.patch(resource, { name, namespace }, patch, {
        manager: MANAGER,
        subresource: 'status',
      });
      ({ resourceVersion } = written.metadata ?? {});
    }
    if (finalizer === undefined) return;
    const wanted = finalizer === 'Add' ? [...finalizers, IN_USE] : finalizers.filter((one) => one !== IN_USE);
    const patch = { metadata: { resourceVersion, finalizers: wanted } };
    await client.patch(resource, { name, namespace }, patch, { manager: MANAGER });
  }
}
