/** The cluster Secrets of a machine: all that its bootstrapper requires, or none. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Call, Waiting } from './bootstrapper.ts';
import { absenceOf, type Part, secretName } from './parts.ts';
import { isAnother, wasMade, whyNotUsed } from './records.ts';
import { type Data, dataOf } from './secrets.ts';

/** Data by part. */
export interface Secrets {
  readonly of: (part: Part) => Data;
}

/**
 * A missing Secret is waited for; a missing Secret that is recorded as created is an error.
 * @param authority the one whose hash the Cluster records; it is among the parts
 */
export function requireSecrets(
  { reply, composite: machine }: Call<Machine>,
  cluster: Cluster,
  parts: readonly Part[],
  authority: Part,
): Secrets | Waiting {
  const recorded = cluster.status?.certificates?.caCertHash;
  const { namespace } = machine.metadata;
  const found = new Map<string, Data>();
  for (const part of parts) {
    const name = secretName(cluster.metadata.name, part);
    const asked = reply.require(part.key, { apiVersion: 'v1', kind: 'Secret', namespace, matchName: name });
    const [object] = asked ?? [];
    if (object !== undefined) {
      const forbidden = whyNotUsed(cluster, part, object);
      if (forbidden !== undefined) throw unreadable(`${namespace}/${name}`, forbidden);
      const data = checked(dataOf(object), part, `${namespace}/${name}`);
      if (isAnother(cluster, part, data, authority))
        throw unreadable(`${namespace}/${name}`, `it is not the ${part.what} its cluster was created with`);
      // An unrecorded Secret is not used yet, because it could be created once more.
      if (wasMade(cluster, part, recorded !== undefined)) found.set(part.key, data);
    } else if (asked !== undefined && wasMade(cluster, part, recorded !== undefined))
      throw unreadable(`${namespace}/${name}`, absenceOf(part));
  }
  if (recorded === undefined || found.size < parts.length)
    return { waiting: `waiting for the certificates of Cluster "${cluster.metadata.name}"` };
  return { of: (part) => found.get(part.key) ?? {} };
}

function checked(data: Data, part: Part, name: string): Data {
  const problem = part.problem(data);
  if (problem !== undefined) throw unreadable(name, problem);
  return data;
}

function unreadable(name: string, problem: string): SlipwayError {
  return new SlipwayError('UnreadableSecret', `cannot use Secret "${name}": ${problem}`);
}
