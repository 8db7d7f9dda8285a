/**
 * Parts of a cluster that somebody else provides, besides its network: chosen when the cluster is new, by its claim or
 * else by the Composition, and recorded. What a cluster began with it keeps, so that neither a part that was made is
 * deleted, nor one of somebody else is replaced.
 */
import { canonical, isJsonObject, sameJson } from '#lib/api/json.ts';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { ClusterSituation } from './infrastructure.ts';

export type ExistingParts = NonNullable<InfrastructureStatus['existing']>;
type Part = 'securityGroups' | 'identities' | 'loadBalancerTargets' | 'resourceGroup' | 'encryptionKey';

const FIELD = 'spec.infrastructure.existing';

/**
 * Throws InvalidClaim for a claim that names another part than the cluster began with, or targets without an endpoint.
 * @param isMade  whether the cloud has such a part of this cluster, which Slipway made
 */
export function existingParts(situation: ClusterSituation, isMade: (part: Part) => boolean): ExistingParts {
  const { cluster, input, owner } = situation;
  const { existing } = cluster.spec.infrastructure;
  const { endpoint } = cluster.spec.controlPlane;
  const targets = existing.loadBalancerTargets.length === 0 ? undefined : existing.loadBalancerTargets;
  if (targets !== undefined && endpoint === undefined)
    throw refusal(
      owner,
      'spec.controlPlane.endpoint',
      undefined,
      `the endpoint that leads to ${FIELD}.loadBalancerTargets`,
    );
  const securityGroups = chosen(
    situation,
    isMade,
    'securityGroups',
    existing.securityGroups,
    input.existingParts.securityGroups,
  );
  const identities = chosen(situation, isMade, 'identities', existing.identities, input.existingParts.identities);
  const loadBalancerTargets = chosen(situation, isMade, 'loadBalancerTargets', targets, undefined);
  const resourceGroup = chosen(situation, isMade, 'resourceGroup', existing.resourceGroup, undefined);
  const encryptionKey = chosen(situation, isMade, 'encryptionKey', existing.encryptionKey, undefined);
  return {
    ...(securityGroups === undefined ? {} : { securityGroups }),
    ...(identities === undefined ? {} : { identities }),
    ...(loadBalancerTargets === undefined ? {} : { loadBalancerTargets }),
    ...(resourceGroup === undefined ? {} : { resourceGroup }),
    ...(encryptionKey === undefined ? {} : { encryptionKey }),
  };
}

/** Undefined: Slipway makes it. */
function chosen<Value>(
  { previous, owner }: ClusterSituation,
  isMade: (part: Part) => boolean,
  part: Part,
  claimed: Value | undefined,
  byPlatform: Value | undefined,
): Value | undefined {
  const known = previous.infrastructure;
  if (known === undefined && !isMade(part)) return claimed ?? byPlatform;
  const recorded = known?.existing?.[part] as Value | undefined;
  if (claimed === undefined || sameJson(inOrder(claimed), inOrder(recorded ?? null))) return recorded;
  const accepted =
    recorded === undefined
      ? 'none, since the cluster has its own'
      : `${JSON.stringify(recorded)}, since the cluster was created with it`;
  throw refusal(owner, `${FIELD}.${part}`, claimed, accepted);
}

/** Which parts they are, in whatever order a claim lists them. */
function inOrder(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(canonical).toSorted();
  if (!isJsonObject(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, inOrder(value)]));
}
