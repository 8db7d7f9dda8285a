/**
 * `spec.provisioning` with a value for every field that a format can express: its own, or that of cloud-init without
 * its limits.
 */
import type { JsonObject } from '#lib/api/json.ts';
import { EVERY_PROVISIONING } from '../../test/support/everything.ts';
import { EVERY_BOTTLEROCKET_PROVISIONING } from './bottlerocket/everything.fixture.ts';
import { everyFieldOf } from './ignition/everything.fixture.ts';
import { EVERY_NODEADM_PROVISIONING } from './nodeadm/everything.fixture.ts';
import { PROVISIONERS } from './registry.ts';
import { everyTalosProvisioning } from './talos/everything.fixture.ts';
import type { Format } from './traits.ts';

const OWN: Readonly<Partial<Record<Format, JsonObject>>> = {
  bottlerocket: EVERY_BOTTLEROCKET_PROVISIONING,
  'cloud-init': EVERY_PROVISIONING,
  ignition: everyFieldOf('ignition'),
  'ignition-2.3': everyFieldOf('ignition-2.3'),
  nodeadm: EVERY_NODEADM_PROVISIONING,
  talos: everyTalosProvisioning('1.13'),
};

/** @param format  ours or that of a third party */
export function everyCustomisation(format: string): JsonObject {
  const own: Readonly<Record<string, JsonObject>> = OWN;
  const limits = PROVISIONERS[format]?.limits ?? {};
  const { raw: _raw, ...fields } = EVERY_PROVISIONING;
  const sayable = Object.entries(fields).filter(([field]) => !Object.hasOwn(limits, field));
  return own[format] ?? Object.fromEntries(sayable);
}
