/** Secrets that were created and are missing or different: one message each, and nothing that exists changes. */
import { conditionOf } from '#lib/api/conditions.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { at, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Call } from './bootstrapper.ts';
import type { Place } from './find.ts';
import { secretName } from './parts.ts';

/**
 * Throws UnreadableSecret, unless the XR still refers to a missing Secret: otherwise Crossplane would treat a restored
 * Secret as foreign and stop calling functions. Such a call gets a response, so that the reference is removed; the next
 * one is refused.
 * @returns whether this call gets a response without the keys
 */
export function refuseLost({ request, reply, composite: cluster }: Call<Cluster>, places: readonly Place[]): boolean {
  const lines = places.flatMap(({ found }) => (found.state === 'gone' || found.state === 'wrong' ? [found.line] : []));
  if (lines.length === 0) return false;
  const gone = places.filter(({ found }) => found.state === 'gone');
  const message = messageOf(cluster, places, lines);
  const names = new Set(gone.map(({ part }) => secretName(cluster.metadata.name, part)));
  const { composite } = request.observed;
  if (!references(composite).some((name) => names.has(name))) {
    const { namespace } = cluster.metadata;
    const absentSecrets = [...names].map((name) => ({ namespace, name }));
    throw new SlipwayError('UnreadableSecret', message, gone.length === lines.length ? { absentSecrets } : {});
  }
  reply.notReady().condition(CONDITION.certificatesAvailable, false, 'UnreadableSecret', message);
  const before = conditionOf(composite, CONDITION.certificatesAvailable)?.message ?? '';
  for (const line of lines) if (!before.includes(line)) reply.event('Warning', 'UnreadableSecret', line);
  return true;
}

/** A line for each Secret, or one for many: a message has at most 1,024 bytes. */
function messageOf({ metadata }: Cluster, places: readonly Place[], lines: readonly string[]): string {
  const lost = places.filter(({ part, found }) => found.state === 'gone' && part.make !== undefined);
  if (lost.length <= MOST_LINES) return lines.join('; ');
  const names = lost.map(({ part }) => `"${metadata.namespace}/${secretName(metadata.name, part)}"`);
  const together = `cannot read Secrets ${names.join(', ')}: they were created and no longer exist; restore them from a backup (docs/restore.md), since Slipway never creates them again`;
  const others = places.flatMap((place) =>
    !lost.includes(place) && (place.found.state === 'gone' || place.found.state === 'wrong') ? [place.found.line] : [],
  );
  return [together, ...others].join('; ');
}

const MOST_LINES = 3;

/** Names of Secrets that the XR refers to, whether they exist or not. */
function references(composite: unknown): readonly string[] {
  const references: unknown = at(composite, 'spec', 'crossplane', 'resourceRefs');
  const list: readonly unknown[] = Array.isArray(references) ? references : [];
  return list.filter((one) => stringAt(one, 'kind') === 'Secret').map((one) => stringAt(one, 'name') ?? '');
}
