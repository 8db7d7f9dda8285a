/** Names the field that somebody wrote: what machines get is that of the Cluster, with that of the pool after or above it. */
import type { SlipwayError } from '#lib/api/errors.ts';
import type { PoolProvisioning, Provisioning } from '#lib/api/fields/provisioning.ts';
import { isJsonObject, own } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { describeObject } from '#lib/api/names.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { isSet } from '#lib/cloud/expressible.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import type { ReadPool } from './size.ts';

/**
 * The same refusal of the field as its author wrote it.
 * @param error  of the template of the machines @param owner  name of the pool in messages
 */
export function asWritten(error: SlipwayError, pool: ReadPool, cluster: Cluster, owner: string): SlipwayError {
  const field = error.field === undefined ? undefined : fieldOf(error.field, pool.spec, cluster);
  return field === undefined ? error : refusalFor(owner, field, error.reason ?? error.message, error.code);
}

/** Undefined: it is the pool's, in the same place. */
function fieldOf(field: string, pool: ReadPool['spec'], cluster: Cluster): string | undefined {
  const [, section, key = '', more = '', name = more, index, rest = ''] =
    /^spec\.(bootstrap\.config|provisioning)(?:\.([\w-]+)(?:\.([\w-]+)|\["([^"]+)"\])?)?(?:\[(\d+)\])?(.*)$/.exec(
      field,
    ) ?? [];
  const theirs = `${field} of ${describeObject(cluster)}`;
  switch (section) {
    case 'bootstrap.config':
      return Object.hasOwn(pool.bootstrap.config, key) ? undefined : theirs;
    case 'provisioning': {
      // Machines with another system need another format than those of the Cluster: it is the choice of the pool.
      if (key === 'format') return undefined;
      // All of it is too much: whoever says more can take more away.
      if (key === '') return sizeOf(pool.provisioning) < sizeOf(cluster.spec.provisioning) ? theirs : undefined;
      const [ofCluster, ofPool] = [cluster.spec.provisioning, pool.provisioning].map((one) => valueAt(one, key, name));
      if (index === undefined || !isJoined(key, name)) return isSet(ofPool) ? undefined : theirs;
      const before = Array.isArray(ofCluster) ? ofCluster.length : 0;
      if (Number(index) < before) return theirs;
      return before === 0 ? undefined : field.replace(`[${index}]${rest}`, `[${Number(index) - before}]${rest}`);
    }
    default:
      return undefined;
  }
}

/** Lists of which the pool has more; of every other field it has its own, or that of the Cluster. */
function isJoined(key: string, name: string): boolean {
  return name === '' || key === 'commands';
}

/** As machines get it: a text that repeats itself takes little. */
function sizeOf(provisioning: Provisioning | PoolProvisioning): number {
  return stableGzip(Buffer.from(JSON.stringify(provisioning))).length;
}

function valueAt(provisioning: Provisioning | PoolProvisioning, key: string, name: string): unknown {
  const value = own(provisioning as Readonly<Record<string, unknown>>, key);
  return name === '' || !isJsonObject(value) ? value : own(value, name);
}
