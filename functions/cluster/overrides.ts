/** The overrides of a claim, laid over its infrastructure; those of machines wait for the control plane. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { Override } from '#lib/api/fields/infrastructure.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { INPUT_NAME } from '#lib/cloud/cluster-input.ts';
import type { InfrastructureCloud } from '#lib/cloud/infrastructure.ts';
import { applyOverrides, isLaid, meansAny, type Overridden } from '#lib/fn/overrides.ts';
import { kindFieldsOf } from '#clouds/kind-fields.ts';
import { machineResourcesOf } from '#clouds/machine-resources.ts';
import { poolHas } from './control-plane.ts';
import type { Situation } from './situation.ts';
import { isBetween } from './stage.ts';

export interface Laid extends Overridden {
  /** Why no control plane is created; undefined: its overrides are allowed. */
  readonly refused?: SlipwayError;
}

type Cloud = Pick<InfrastructureCloud<never>, 'controlPlane' | 'machineKinds' | 'overridable'>;

/**
 * Throws InvalidClaim for an override that sets what it may not. Of a cluster that has infrastructure and no control
 * plane yet, nobody knows what was allowed when it was accepted: an override of its machines stops only these.
 */
export function layOverrides(
  situation: Situation,
  cloud: Cloud,
  resources: ReadonlyMap<string, KubeObject>,
  overrides: readonly Override[],
): Laid {
  const { input, owner, observed, previous } = situation;
  const isThere = (override: Override): boolean =>
    isLaid(override, resources, observed) || poolHas(situation, override);
  const lay = (has: (override: Override) => boolean): Overridden =>
    applyOverrides(resources, overrides, owner, {
      allowed: input.overrides ?? cloud.overridable,
      statedIn: INPUT_NAME,
      fields: kindFieldsOf(input.cloud),
      observed,
      elsewhere: cloud.machineKinds,
      names: machineResourcesOf(input.cloud),
      isNew: previous.infrastructure === undefined,
      has,
    });
  if (cloud.controlPlane === 'managed' || !isBetween(situation)) return lay(isThere);
  try {
    return lay(isThere);
  } catch (thrown) {
    const refused = SlipwayError.from(thrown);
    if (refused.code !== 'InvalidClaim') throw refused;
    const isOfMachines = (override: Override): boolean =>
      cloud.machineKinds.has(override.kind) && !meansAny(override, resources);
    // Throws again unless only overrides of machines are at fault.
    return { ...lay((override) => isOfMachines(override) || isThere(override)), refused };
  }
}
