/**
 * The bootstrap step allows each field of `spec.bootstrap.config` where the published schema says that it may be set.
 */
import { describe, expect, it } from 'vitest';
import { messageOf } from '#lib/api/errors.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { aCluster, aMachine } from '../../test/support/claims.ts';
import { aRequest, aWorld } from '../../test/support/request.ts';
import { everyConfig } from './everything.fixture.ts';
import { run } from './fn.ts';
import { BOOTSTRAPPERS } from './registry.ts';

const VERSION = 'v1.35.4';

/** The errors for a worker whose pool sets more than its Cluster; there are no Secrets, so no plan is rendered. */
async function refusalOf(provider: string, pool: JsonObject, cluster: JsonObject): Promise<string> {
  const bootstrap = (config: JsonObject) => ({ provider, config });
  const composite = aMachine({
    spec: { role: 'worker', version: VERSION, bootstrap: { ...bootstrap(pool), action: 'Join' } },
  });
  const owner = aCluster({ spec: { version: VERSION, bootstrap: bootstrap(cluster) } });
  try {
    await run(aRequest({ composite, required: { cluster: [owner] } }), aWorld());
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

describe.for(Object.entries(BOOTSTRAPPERS).map(([name, { config }]) => ({ name, config })))(
  'a pool of workers of $name',
  ({ name, config: { ofTheCluster, ofControlPlanes = [] } }) => {
    const everything = everyConfig(name, VERSION);
    const shared = new Set([...ofTheCluster, ...ofControlPlanes]);

    it.for(Object.keys(everything))('may set %s only if it is a setting of the machine', async (field) => {
      const { [field]: _, ...others } = everything;
      const said = await refusalOf(name, everything, others);
      const refused = `spec.bootstrap.config.${field}: applies to the whole cluster`;
      expect(said.includes(refused), said).toBe(shared.has(field));
    });

    it('may repeat all that its Cluster sets', async () => {
      expect(await refusalOf(name, everything, everything)).not.toContain('applies to the whole cluster');
    });
  },
);
