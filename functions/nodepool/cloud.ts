/**
 * The cloud of a pool: its Composition creates machines on one, and that has to be the one that its Cluster is on, and
 * the one that its selector chooses for new machines.
 */
import type { SlipwayError } from '#lib/api/errors.ts';
import { at, sameJson, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { NodePool } from '#lib/api/kinds/node-pool.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { LABEL } from '#lib/api/words.ts';
import { cloudFieldsOf } from '#clouds/fields.ts';
import type { ClaimedSituation } from './situation.ts';
import { tolerated } from './tolerated.ts';

/**
 * Throws InvalidClaim for a pool on another cloud than its Cluster or than its new machines, unless a machine of it was made so.
 * @param cloud  that its Composition creates machines on; undefined: that of any Cluster
 * @returns why no machine is created although those that exist stay; undefined: machines are created
 */
export function refuseOtherCloud(
  { pool, owner, machines }: Pick<ClaimedSituation, 'pool' | 'owner' | 'machines'>,
  cloud: string | undefined,
  cluster: Cluster | undefined,
): string | undefined {
  if (cloud === undefined) return undefined;
  const its = cluster && cloudOf(cluster);
  const elsewhere = onOther(owner, cloud, cluster, its);
  const error = elsewhere ?? movedFrom(owner, cloud, pool);
  if (error === undefined) return undefined;
  const { compositionSelector } = pool.spec.crossplane ?? {};
  return tolerated(error, machines, ({ object: { spec } }) => {
    // Machines on the cloud of the Cluster were not made so: only the Composition of their pool was moved.
    const isMoved = elsewhere !== undefined && flavourOf({ spec }) === its;
    return !isMoved && sameJson(at(spec, 'crossplane', 'compositionSelector') ?? null, compositionSelector ?? null);
  });
}

function onOther(
  owner: string,
  cloud: string,
  cluster: Cluster | undefined,
  its: string | undefined,
): SlipwayError | undefined {
  if (cluster === undefined || its === undefined || its === cloud) return undefined;
  return refusalFor(
    owner,
    'spec.crossplane',
    `its Cluster is on ${its}, but the Composition chosen creates machines on ${cloud}; accepted: a Composition with the label ${LABEL.flavor}: ${flavourOf(cluster) ?? its}`,
  );
}

/** Crossplane keeps the Composition of a pool whose selector is edited, but every new machine has the new selector. */
function movedFrom(owner: string, cloud: string, pool: NodePool): SlipwayError | undefined {
  const flavour = flavourOf(pool);
  if (flavour === cloud || cloudFieldsOf(flavour) === undefined) return undefined;
  return refusalFor(
    owner,
    'spec.crossplane.compositionSelector',
    `new machines would be on ${flavour}, but the pool keeps the Composition that Crossplane chose first, which creates machines on ${cloud}; accepted: matchLabels ${LABEL.flavor}: ${cloud}`,
  );
}

/** Before the Cluster says its cloud, a flavour that comes with Slipway does, unless another Composition was chosen. */
function cloudOf(cluster: Cluster): string | undefined {
  const { infrastructure } = cluster.status ?? {};
  if (infrastructure !== undefined) return infrastructure.cloud;
  if (stringAt(cluster.spec, 'crossplane', 'compositionRef', 'name') !== undefined) return undefined;
  const flavour = flavourOf(cluster);
  return cloudFieldsOf(flavour) === undefined ? undefined : flavour;
}

function flavourOf({ spec }: { readonly spec?: unknown }): string | undefined {
  return stringAt(spec, 'crossplane', 'compositionSelector', 'matchLabels', LABEL.flavor);
}
