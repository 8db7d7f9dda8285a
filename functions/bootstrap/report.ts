/** Conditions and events of a Cluster about its Secrets. */
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Call } from './bootstrapper.ts';
import type { Place } from './find.ts';
import { isKeyElsewhere, type Part, secretName } from './parts.ts';
import { recordOf } from './records.ts';

/** @param read every Secret was read, or is created in this call @param stored every Secret was read */
export function reportCondition(
  { reply, composite }: Call<Cluster>,
  places: readonly Place[],
  { read, stored }: { readonly read: boolean; readonly stored: boolean },
): void {
  const type = CONDITION.certificatesAvailable;
  const names = (which: (place: Place) => boolean): string =>
    places
      .filter(which)
      .map(({ part }) => nameOf(composite, part))
      .join(', ');
  if (stored) {
    const keyless = names(({ part, found }) => found.state === 'stored' && isKeyElsewhere(part, found.data));
    const message = `Secret ${keyless} has no tls.key, so nothing new can be signed: control planes that need the key cannot join, and client certificates are not renewed`;
    if (keyless === '') reply.condition(type, true, 'Available');
    else reply.condition(type, true, 'KeyElsewhere', message);
    return;
  }
  reply.notReady();
  const going = names(({ found }) => found.state === 'going');
  const unsupplied = names(({ part, found }) => found.state === 'absent' && part.make === undefined);
  if (going !== '')
    reply.condition(
      type,
      false,
      'WaitingForSecret',
      `waiting until Secrets of an earlier Cluster of this name are deleted: ${going}`,
    );
  else if (read) reply.condition(type, false, 'Creating', 'the Secrets are being stored');
  else if (unsupplied !== '')
    reply.condition(type, false, 'WaitingForSecret', `waiting for Secrets that you must supply: ${unsupplied}`);
  else reply.condition(type, 'Unknown', 'Reading', 'waiting for the Secrets to be read');
}

/** One event when supplied keys are first used, and when a Secret belongs to the Cluster again. */
export function reportOrigins({ request, reply, composite: cluster }: Call<Cluster>, places: readonly Place[]): void {
  for (const { part, found } of places) {
    if (found.state !== 'stored' || part.make === undefined) continue;
    const name = nameOf(cluster, part);
    const own = request.observed.resources.has(part.key);
    if (found.origin === 'Made' && !own)
      reply.event('Normal', 'SecretRestored', `Secret ${name} was restored unchanged; it belongs to the Cluster again`);
    else if (found.origin === 'Supplied' && recordOf(cluster, part) === undefined)
      reply.event(
        'Normal',
        'SecretSupplied',
        `Secret ${name} was supplied: its ${part.what} is used, and Slipway does not manage the Secret`,
      );
  }
}

function nameOf({ metadata: { name, namespace } }: Cluster, part: Part): string {
  return `"${namespace}/${secretName(name, part)}"`;
}
