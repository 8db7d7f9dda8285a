/** Whose credentials a cluster is created with: those of the Composition, or others of its allow-list that the claim names. */
import type { ProviderConfigRef } from '#lib/api/fields/infrastructure.ts';
import { sameJson } from '#lib/api/json.ts';
import { isLike } from '#lib/api/pattern.ts';
import { refusal } from '#lib/api/refusal.ts';
import { INPUT_NAME } from '#lib/cloud/cluster-input.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import type { Situation } from './situation.ts';

const FIELD = 'spec.infrastructure.providerConfigRef';

/** With the credentials of the claim in place of those of the Composition. Throws InvalidClaim for others. */
export function withCredentials(situation: Situation): Situation {
  const chosen = chosenBy(situation);
  if (chosen === undefined) return situation;
  return { ...situation, input: { ...situation.input, providerConfigRef: chosen } };
}

/** Undefined: the claim leaves them to the Composition. */
export function chosenBy({ cluster, input, owner, previous }: Situation): ProviderConfigRef | undefined {
  const { providerConfigRef: asked } = cluster.spec.infrastructure;
  if (asked === undefined) return undefined;
  const { providerConfigRef: own, providerConfigs } = input;
  const isAllowed = [own, ...providerConfigs].some(({ kind, name }) => kind === asked.kind && isLike(asked.name, name));
  // A list that is shorter now leaves a cluster those it was created with.
  if (isAllowed || sameJson(asked, previous.infrastructure?.providerConfigRef)) return asked;
  const accepted = [own, ...providerConfigs].map(textOf);
  const meant = didYouMean(textOf(asked), accepted);
  throw refusal(owner, FIELD, textOf(asked), `${accepted.join(', ')} (providerConfigs in ${INPUT_NAME})${meant}`);
}

function textOf({ kind, name }: ProviderConfigRef): string {
  return `${kind} ${name}`;
}
