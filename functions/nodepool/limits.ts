/**
 * What the platform lets claims of this Composition choose: whoever may write a claim does not own the account. What
 * machines have stays when a limit comes later: the pool goes on, and does not grow.
 */
import { fieldAndCause, type SlipwayError } from '#lib/api/errors.ts';
import { at, type Json, own, sameJson } from '#lib/api/json.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { outsideLimits, withinLimit } from '#lib/cloud/limits.ts';
import type { NativeNames } from '#lib/cloud/native-names.ts';
import { inputName } from '#lib/fn/input.ts';
import { kindFieldsOf } from '#clouds/kind-fields.ts';
import { machineResourcesOf } from '#clouds/machine-resources.ts';
import { nativeNamesOf } from '#clouds/native-names.ts';
import { refusedResource } from '#lib/fn/override-target.ts';
import { refusedByAnyone, refusedByPlatform, refusedByProvider } from '#lib/fn/overrides.ts';
import type { NodePoolInput } from './input.ts';
import type { PoolSituation } from './situation.ts';
import { acceptedSize, type ReadOverrides } from './size.ts';
import { noMachine } from './tolerated.ts';

type Judged = Pick<PoolSituation, 'pool' | 'owner' | 'machines' | 'previous'>;
const INPUT_NAME = inputName('NodePoolInput');

/** A choice that the platform does not allow. */
interface Outside {
  readonly error: SlipwayError;
  /** A machine has it already. */
  readonly isThere: boolean;
}

/** What machines have, and the platform does not allow any more. */
interface Kept {
  /** A phrase each. */
  readonly notes: readonly string[];
  /** Why no machine is created; undefined: machines are created. */
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
  const fault = outside.find(({ isThere }) => isGrowing || !isThere);
  if (fault !== undefined) throw fault.error;
  const [first] = inMachines;
  return {
    notes: outside.map(({ error }) => `${fieldAndCause(error)}; the pool keeps it, and does not grow`),
    refused: first && noMachine(first.error),
  };
}

function sizes({ pool, owner }: Judged, { limits }: NodePoolInput): readonly Outside[] {
  const { replicas } = pool.spec;
  if (limits.replicas === undefined || replicas <= limits.replicas) return [];
  const accepted = withinLimit(`at most ${limits.replicas}`, 'replicas', INPUT_NAME);
  return [{ error: refusal(owner, 'spec.replicas', replicas, accepted), isThere: true }];
}

function templates(
  { pool, owner, machines }: Judged,
  input: NodePoolInput,
  names: NativeNames | undefined,
): readonly Outside[] {
  return outsideLimits(pool.spec.machine, input.limits, input, names).map(
    ({ field, kept, shown, value, limit, accepted, meant }) => ({
      error: refusal(
        owner,
        `spec.machine.${shown ?? field.join('.')}`,
        value,
        withinLimit(accepted, limit, INPUT_NAME, meant),
      ),
      isThere: machines.some(({ object }) => sameJson(at(object.spec, 'machine', ...field) ?? null, kept ?? value)),
    }),
  );
}

/** The machine step refuses them of what it creates. */
function overrides(
  { pool, owner, machines }: Judged,
  { overrides: allowed }: NodePoolInput,
  cloud: string | undefined,
): readonly Outside[] {
  const { overrides: claimed }: ReadOverrides = pool.spec.infrastructure;
  const limits = { statedIn: INPUT_NAME, fields: kindFieldsOf(cloud), ...(allowed === undefined ? {} : { allowed }) };
  const names = machineResourcesOf(cloud);
  return claimed.flatMap((override, index) => {
    const issue =
      refusedByPlatform(override, { ...limits, isNew: true }) ??
      refusedByProvider(override, limits) ??
      refusedResource(override, own(names ?? {}, override.kind));
    if (issue === undefined) return [];
    const error = refusalFor(owner, `spec.infrastructure.overrides[${index}].${issue.path}`, issue.message);
    const isThere = machines.some(({ object }) => {
      const has = at(object.spec, 'infrastructure', 'overrides');
      return Array.isArray(has) && has.some((one: Json) => sameJson(one, override));
    });
    return [{ error, isThere }];
  });
}

function refuseForEveryone({ pool, owner }: Judged): void {
  const { overrides: claimed }: ReadOverrides = pool.spec.infrastructure;
  for (const [index, override] of claimed.entries()) {
    const issue = refusedByAnyone(override);
    if (issue !== undefined)
      throw refusalFor(owner, `spec.infrastructure.overrides[${index}].${issue.path}`, issue.message);
  }
}
