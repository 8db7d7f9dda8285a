/**
 * What the platform lets claims of this Composition choose: whoever may write a claim does not own the account. What
 * machines have stays when a limit comes later: the pool goes on, and does not grow.
 */
import { fieldAndCause, type SlipwayError } from '#lib/api/errors.ts';
import type { Override } from '#lib/api/fields/infrastructure.ts';
import type { Issue } from '#lib/api/issues.ts';
import { own } from '#lib/api/json.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { outsideLimits, withinLimit } from '#lib/cloud/limits.ts';
import { hasOverride, isMadeWith } from '#lib/cloud/made-with.ts';
import type { NativeNames } from '#lib/cloud/native-names.ts';
import { inputName } from '#lib/fn/input.ts';
import { kindFieldsOf } from '#clouds/kind-fields.ts';
import { machineResourcesOf } from '#clouds/machine-resources.ts';
import { nativeNamesOf } from '#clouds/native-names.ts';
import { refusedResource } from '#lib/fn/override-target.ts';
import { refusedByAnyone, refusedByPlatform, refusedByProvider } from '#lib/fn/overrides.ts';
import type { NodePoolInput } from './input.ts';
import type { PoolSituation } from './situation.ts';
import { acceptedSize, isEmptied, isNewPool, type ReadOverrides } from './size.ts';

type Judged = Pick<PoolSituation, 'pool' | 'owner' | 'machines' | 'previous'>;
const INPUT_NAME = inputName('NodePoolInput');

/** A choice that the platform does not allow. */
interface Outside {
  readonly error: SlipwayError;
  /** A machine has it already. */
  readonly isThere: boolean;
  /** The release says it and not the platform: a pool that has it may grow, as it could before. */
  readonly isOfRelease?: boolean;
}

/** What machines have, and the platform does not allow any more. */
interface Kept {
  /** A phrase each. */
  readonly notes: readonly string[];
  /** Why no machine like the claim is created; undefined: machines are created. */
  readonly refused: string | undefined;
}

/**
 * Throws InvalidClaim for the first choice outside that no machine has, or that more machines would get.
 * @param cloud  that its machines are on; undefined: not known yet
 */
export function refuseOutside(judged: Judged, input: NodePoolInput, cloud: string | undefined): Kept {
  refuseForEveryone(judged);
  const isGrowing = judged.pool.spec.replicas > acceptedSize(judged);
  // The machine step would refuse a new machine that has these.
  const inMachines = overrides(judged, input, cloud);
  const outside = [...sizes(judged, input), ...templates(judged, input, nativeNamesOf(cloud)), ...inMachines];
  const fault = outside.find(({ isThere, isOfRelease = false }) => !isThere || (isGrowing && !isOfRelease));
  if (fault !== undefined) throw fault.error;
  refuseOtherNames(judged, input, cloud);
  const [first] = inMachines;
  return {
    notes: outside.map(
      ({ error, isOfRelease = false }) =>
        `${fieldAndCause(error)}; the pool keeps it${isOfRelease ? '' : ', and does not grow'}`,
    ),
    refused: first && fieldAndCause(first.error),
  };
}

function sizes({ pool, owner }: Judged, { limits }: NodePoolInput): readonly Outside[] {
  const { replicas } = pool.spec;
  if (limits.replicas === undefined || replicas <= limits.replicas) return [];
  const accepted = withinLimit(`at most ${limits.replicas}`, 'replicas', INPUT_NAME);
  return [{ error: refusal(owner, 'spec.replicas', replicas, accepted), isThere: true }];
}

function templates(judged: Judged, input: NodePoolInput, names: NativeNames | undefined): readonly Outside[] {
  const { pool, owner, machines } = judged;
  const { overrides: claimed }: ReadOverrides = pool.spec.infrastructure;
  return outsideLimits(pool.spec.machine, input.limits, input, names, claimed).map(
    ({ made, field, value, limit, accepted, meant }) => {
      const has = machines.some(({ object }) => made.every((one) => isMadeWith(object, one.path, one.value)));
      const isOfRelease = limit === undefined;
      return {
        error: refusal(owner, `spec.machine.${field}`, value, withinLimit(accepted, limit, INPUT_NAME, meant)),
        isThere: has || (isOfRelease && isEmptied(judged)),
        isOfRelease,
      };
    },
  );
}

/** The machine step refuses them of what it creates. */
function overrides(judged: Judged, input: NodePoolInput, cloud: string | undefined): readonly Outside[] {
  const limits = allowedBy(input, cloud);
  return claimedOf(judged).flatMap(([index, override]) => {
    const issue = refusedByPlatform(override, limits) ?? refusedByProvider(override, limits);
    if (issue === undefined) return [];
    return [
      {
        error: inOverride(judged, index, issue),
        isThere: judged.machines.some(({ object }) => hasOverride(object, override)),
      },
    ];
  });
}

/**
 * Throws for the first override of a new pool that means nothing that machines are made of. The machine step accepts
 * these, and notes them: no pool that has had machines is held up by one.
 */
function refuseOtherNames(judged: Judged, input: NodePoolInput, cloud: string | undefined): void {
  if (!isNewPool(judged)) return;
  const names = machineResourcesOf(cloud) ?? {};
  for (const [index, override] of claimedOf(judged)) {
    const issue =
      refusedByPlatform(override, { ...allowedBy(input, cloud), isNew: true }) ??
      refusedResource(override, own(names, override.kind));
    if (issue !== undefined) throw inOverride(judged, index, issue);
  }
}

function allowedBy({ overrides: allowed }: NodePoolInput, cloud: string | undefined) {
  return { statedIn: INPUT_NAME, fields: kindFieldsOf(cloud), ...(allowed === undefined ? {} : { allowed }) };
}

function claimedOf({ pool }: Judged): readonly (readonly [number, Override])[] {
  const { overrides: claimed }: ReadOverrides = pool.spec.infrastructure;
  return [...claimed.entries()];
}

function inOverride({ owner }: Judged, index: number, { path, message }: Issue): SlipwayError {
  return refusalFor(owner, `spec.infrastructure.overrides[${index}].${path}`, message);
}

function refuseForEveryone(judged: Judged): void {
  for (const [index, override] of claimedOf(judged)) {
    const issue = refusedByAnyone(override);
    if (issue !== undefined) throw inOverride(judged, index, issue);
  }
}
