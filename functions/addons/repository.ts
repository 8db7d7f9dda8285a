/**
 * Which repositories of charts a claim may name: provider-helm calls them. What is installed stays when a limit comes
 * later: only what is new is refused.
 */
import { fieldAndCause } from '#lib/api/errors.ts';
import type { Chart } from '#lib/api/fields/addons.ts';
import { stringAt } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { withinLimit } from '#lib/cloud/limits.ts';
import { acceptedOf, mayBeRepository } from '#lib/cloud/targets.ts';
import { INPUT_NAME } from './input.ts';
import { isInitialized, type Part, partsOf, type Situation } from './situation.ts';

/** note: it is installed, and stays. problem: it is not installed. */
export type Outside = { readonly note: string } | { readonly problem: string };

/**
 * Undefined: it is inside the limits. Throws InvalidClaim for a Cluster of which nothing exists; one that exists goes on
 * without the add-on.
 * @param index  of the add-on in the claim
 */
export function outsideRepositories(situation: Situation, { repository }: Chart, index: number): Outside | undefined {
  const { input, owner, cluster, observed, status } = situation;
  const { repositories } = input.limits;
  if (mayBeRepository(repository, repositories)) return undefined;
  const accepted = withinLimit(acceptedOf(repositories).join(', '), 'repositories', INPUT_NAME);
  const error = refusal(owner, `spec.addons[${index}].chart.repository`, repository, accepted);
  if (observed.size === 0 && !isInitialized(status)) throw error;
  const isThere = ({ object }: Part): boolean =>
    stringAt(object.spec, 'forProvider', 'chart', 'repository') === repository;
  const installed = partsOf(situation, cluster.spec.addons[index]?.name ?? '').some(isThere);
  return installed ? { note: `${fieldAndCause(error)}; the cluster keeps it` } : { problem: fieldAndCause(error) };
}
