/**
 * Failure domains without capacity: which machines could not be created because of it, which domains not to try now,
 * and what the replacement records about it, because the failed machine will no longer exist.
 */
import { conditionOf, INSUFFICIENT_CAPACITY, transitionOf } from '#lib/api/conditions.ts';
import type { Remediation } from '#lib/api/kinds/node-pool.ts';
import { stringAt } from '#lib/api/json.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { PoolMachine } from './machines.ts';

/** A cloud often has capacity a minute later; its provider retries at least once a minute. Milliseconds. */
export const CAPACITY_WAIT = 2 * 60 * 1000;

/** How long a failure domain is avoided after a machine was moved to another one because of it. Milliseconds. */
export const CAPACITY_MEMORY = 15 * 60 * 1000;

/** The cloud never created it, because its failure domain has no capacity. */
export function lacksCapacity({ object }: Pick<PoolMachine, 'object'>): boolean {
  const condition = conditionOf(object, CONDITION.infrastructureReady);
  const isMade = stringAt(object, 'status', 'instanceID') !== undefined;
  return !isMade && condition?.status === 'False' && condition.reason === INSUFFICIENT_CAPACITY;
}

/**
 * When it is given up because of it, in milliseconds since 1970; undefined: there is capacity, or the start is not
 * known.
 */
export function givenUpAt(machine: Pick<PoolMachine, 'object'>): number | undefined {
  const since = lacksCapacity(machine) ? transitionOf(machine.object, CONDITION.infrastructureReady) : undefined;
  return since === undefined ? undefined : since + CAPACITY_WAIT;
}

/**
 * Failure domains to avoid now, in the order they were tried.
 * @param pending machines that were given up and have no replacement yet
 * @param now milliseconds since 1970
 */
export function exhausted(
  machines: readonly PoolMachine[],
  pending: readonly Remediation[],
  now: number,
): readonly string[] {
  const isFresh = ({ isNode, createdAt = now }: PoolMachine): boolean => !isNode || createdAt + CAPACITY_MEMORY > now;
  const remembered = [...machines.filter(isFresh).map(({ remediationFor }) => remediationFor), ...pending].flatMap(
    (one) => one?.failureDomains ?? [],
  );
  const present = machines.filter(lacksCapacity).flatMap(({ failureDomain }) => failureDomain ?? []);
  return lastOfEach([...remembered, ...present]);
}

/** What the replacement of a machine records, including the failure domain without capacity. */
export function rememberCapacity(machine: PoolMachine, remediation: Remediation): Remediation {
  const { failureDomain, remediationFor } = machine;
  if (failureDomain === undefined || !lacksCapacity(machine)) return remediation;
  const before = remediationFor?.failureDomains ?? [];
  return { ...remediation, failureDomains: [...lastOfEach([...before, failureDomain])].slice(-MOST) };
}

/** The maximum in the schema. */
const MOST = 16;

/** Whether there is a failure domain that was not tried yet for the replacement. */
export function hasUntried(machine: PoolMachine, domains: readonly string[]): boolean {
  const tried = new Set([...(machine.remediationFor?.failureDomains ?? []), machine.failureDomain]);
  return lacksCapacity(machine) && domains.some((name) => !tried.has(name));
}

function lastOfEach(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.lastIndexOf(name) === index);
}
