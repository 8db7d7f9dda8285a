/** Where a machine is placed. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { MachineSituation } from './machine.ts';

type FailureDomain = InfrastructureStatus['failureDomains'][number];
type Placed = Pick<MachineSituation, 'machine' | 'owner'>;

/** That of its spec or else the first one; undefined if its Cluster has no such failure domain. */
export function failureDomainOf(
  { machine }: Pick<Placed, 'machine'>,
  { failureDomains }: InfrastructureStatus,
): FailureDomain | undefined {
  const domain = machine.spec.failureDomain ?? failureDomains[0]?.name;
  return failureDomains.find(({ name }) => name === domain);
}

export function unknownDomain({ machine, owner }: Placed, { failureDomains }: InfrastructureStatus): SlipwayError {
  const known = failureDomains.map(({ name }) => name).toSorted();
  const accepted = known.length === 0 ? 'none yet, since the Cluster has no failure domains' : known;
  return refusal(owner, 'spec.failureDomain', machine.spec.failureDomain, accepted);
}

/** @param missing of status.infrastructure, which a Cluster that is ready always has */
export function unplaceable({ owner }: Pick<Placed, 'owner'>, missing: string): SlipwayError {
  const cause = `status.infrastructure of its Cluster is ready but has no ${missing}`;
  return new SlipwayError('BrokenContract', `cannot place ${owner}: ${cause}`);
}
