/** Refusals from the table of each provisioner, without code. */
import type { SlipwayError } from '#lib/api/errors.ts';
import { isJsonObject } from '#lib/api/json.ts';
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import type { Provisioner } from './provisioner.ts';

/**
 * Throws Unsupported for the first field that is set and cannot be expressed, including raw fields of another format.
 */
export function refuseUnsaid(
  customisation: Claimed,
  format: string,
  { limits, raws = [] }: Pick<Provisioner, 'limits' | 'raws'>,
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
      `${format} does not read it; accepted: ${read.map((name) => `raw.${name}`).join(', ')}`,
      'Unsupported',
    );
}

/** A value that a format cannot express. @param instead what is accepted */
export function cannotExpress(format: string, owner: string, field: string, instead: string): SlipwayError {
  return refusalFor(owner, field, `${format} cannot express it; accepted: ${instead}`, 'Unsupported');
}

/** An empty list or map, also of lists, counts as not set. */
function isSet(value: unknown): boolean {
  if (value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.values(value).some(isSet) : true;
}
