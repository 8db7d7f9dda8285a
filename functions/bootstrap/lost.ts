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
  const message = lines.join('; ');
  const gone = places.filter(({ found }) => found.state === 'gone');
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

/** Names of Secrets that the XR refers to, whether they exist or not. */
function references(composite: unknown): readonly string[] {
  const references: unknown = at(composite, 'spec', 'crossplane', 'resourceRefs');
  const list: readonly unknown[] = Array.isArray(references) ? references : [];
  return list.filter((one) => stringAt(one, 'kind') === 'Secret').map((one) => stringAt(one, 'name') ?? '');
}
