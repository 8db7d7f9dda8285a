/** What formats can express, from the table of each: without code, and so known before there is a machine. */
import type { SlipwayError } from '#lib/api/errors.ts';
import type { HostOs, PlanKind, PlanNeed } from '#lib/api/contracts/bootstrap-plan.ts';
import { isJsonObject } from '#lib/api/json.ts';
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { oneOf } from '#lib/api/nearest.ts';
import type { ExpressesTrait } from './traits.ts';

/**
 * Throws Unsupported for the first field that is set and cannot be expressed, including raw fields of another format.
 */
export function refuseUnsaid(
  customisation: Claimed,
  format: string,
  { limits, raws = [] }: Pick<ExpressesTrait, 'limits' | 'raws'>,
  owner: string,
): void {
  for (const [field, instead] of Object.entries(limits)) {
    if (!isSet(customisation[field as keyof Claimed])) continue;
    throw cannotExpress(format, owner, `spec.provisioning.${field}`, instead);
  }
  const read = [format, ...raws];
  const other = Object.keys(customisation.raw).find((name) => !read.includes(name));
  if (other !== undefined)
    throw refusalFor(
      owner,
      `spec.provisioning.raw.${other}`,
      `${format} does not read it; accepted: ${oneOf(
        `raw.${other}`,
        read.map((name) => `raw.${name}`),
      )}`,
      'Unsupported',
    );
}

/** A value that a format cannot express. @param instead what is accepted */
export function cannotExpress(format: string, owner: string, field: string, instead: string): SlipwayError {
  return refusalFor(owner, field, `${format} cannot express it; accepted: ${instead}`, 'Unsupported');
}

/** Whether a field of a claim says anything: an empty list or map, also of lists, counts as not set. */
export function isSet(value: unknown): boolean {
  if (value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.values(value).some(isSet) : true;
}

/** Whether a format supports a kind of plan, and its hosts have the operating system and features that the plan needs. */
export function canExpress(
  { takes, has = [], os: hosts = 'linux' }: ExpressesTrait,
  kind: PlanKind,
  needs: readonly PlanNeed[] = [],
  os: HostOs = 'linux',
): boolean {
  return takes.includes(kind) && hosts === os && needs.every((need) => has.includes(need));
}
