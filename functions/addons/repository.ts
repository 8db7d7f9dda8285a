/**
 * Which repositories of charts a claim may name: provider-helm calls them. What a cluster has stays when a limit comes
 * later: only what is new is refused.
 */
import { fieldAndCause } from '#lib/api/errors.ts';
import type { Chart } from '#lib/api/fields/addons.ts';
import { at, stringAt } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { withinLimit } from '#lib/cloud/limits.ts';
import { acceptedOf, mayBeRepository } from '#lib/cloud/targets.ts';
import { FACTS } from '#lib/fn/cluster-facts.ts';
import { INPUT_NAME } from './input.ts';
import { type Part, partsOf, type Situation } from './situation.ts';

/** note: it is installed, and stays. problem: it was accepted, and is not installed yet. */
export type Outside = { readonly note: string } | { readonly problem: string };

/**
 * Undefined: it is inside the limits. Throws InvalidClaim for one that the cluster does not have.
 * @param index  of the add-on in the claim
 */
export function outsideRepositories(situation: Situation, { repository }: Chart, index: number): Outside | undefined {
  const { input, owner, cluster } = situation;
  const { repositories } = input.limits;
  if (mayBeRepository(repository, repositories)) return undefined;
  const accepted = withinLimit(acceptedOf(repositories).join(', '), 'repositories', INPUT_NAME);
  const error = refusal(owner, `spec.addons[${index}].chart.repository`, repository, accepted);
  const name = cluster.spec.addons[index]?.name ?? '';
  const isThere = ({ object }: Part): boolean =>
    stringAt(object.spec, 'forProvider', 'chart', 'repository') === repository;
  if (partsOf(situation, name).some(isThere)) return { note: `${fieldAndCause(error)}; the cluster keeps it` };
  if (wasAccepted(situation, name, repository)) return { problem: fieldAndCause(error) };
  throw error;
}

/** In an earlier call: the facts that are observed are older than this one. */
function wasAccepted({ observed }: Situation, name: string, repository: string): boolean {
  const addons: unknown = at(observed.get(FACTS)?.spec, 'accepted', 'addons');
  const list: readonly unknown[] = Array.isArray(addons) ? addons : [];
  return list.some((one) => stringAt(one, 'name') === name && stringAt(one, 'chart', 'repository') === repository);
}
