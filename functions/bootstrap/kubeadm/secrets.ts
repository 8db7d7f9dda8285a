/** What a machine reads of its cluster: the authorities it carries and the token it joins with. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Call, Waiting } from '../bootstrapper.ts';
import { caCertHash, type Pair } from '../pki/pem.ts';
import { type Data, dataOf } from '../secrets.ts';
import { ALL_PARTS, asPair, dataProblem, type Part, secretName, TOKEN_PART } from './authorities.ts';

export interface Secrets {
  readonly ca: Pair;
  /** What the machine itself carries: everything on a control plane, nothing on a worker. */
  readonly carried: ReadonlyMap<Part, Pair>;
  readonly token: string;
}

/** A Secret that is not there yet is awaited; one that was recorded as made and is not there is an error. */
export function requireSecrets(call: Call<Machine>, cluster: Cluster): Secrets | Waiting {
  const { reply, composite: machine } = call;
  const controlPlane = machine.spec.role === 'control-plane';
  const recorded = cluster.status?.certificates?.caCertHash;
  const found = new Map<Part | typeof TOKEN_PART, Data>();
  for (const part of [...(controlPlane ? ALL_PARTS : (['ca'] as const)), TOKEN_PART] as const) {
    const name = secretName(cluster.metadata.name, part);
    const { namespace } = machine.metadata;
    const asked = reply.require(part, { apiVersion: 'v1', kind: 'Secret', namespace, matchName: name });
    const [object] = asked ?? [];
    if (object !== undefined) found.set(part, checked(dataOf(object), part, `${namespace}/${name}`, recorded));
    else if (asked !== undefined && recorded !== undefined)
      throw unreadable(
        `${namespace}/${name}`,
        'it was made and is gone; restore it from a backup, it is never made again',
      );
  }
  const pairs = new Map(
    [...found].flatMap(([part, data]) => (part === TOKEN_PART ? [] : [[part, asPair(data)] as const])),
  );
  const ca = pairs.get('ca');
  const token = found.get(TOKEN_PART)?.['token'];
  const complete = pairs.size === (controlPlane ? ALL_PARTS.length : 1);
  if (recorded === undefined || ca === undefined || token === undefined || !complete)
    return { waiting: `waiting for the certificates of Cluster "${cluster.metadata.name}"` };
  return { ca, token, carried: controlPlane ? pairs : new Map() };
}

function checked(data: Data, part: Part | typeof TOKEN_PART, name: string, recorded: string | undefined): Data {
  const problem = dataProblem(data, part);
  if (problem !== undefined) throw unreadable(name, problem);
  if (part === 'ca' && recorded !== undefined && caCertHash(asPair(data).cert) !== recorded)
    throw unreadable(name, 'it is not the authority its cluster was made with');
  return data;
}

function unreadable(name: string, problem: string): SlipwayError {
  return new SlipwayError('UnreadableSecret', `cannot use Secret "${name}": ${problem}`);
}
