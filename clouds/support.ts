/** What each cloud makes of the fields of a claim, one line each: functions refuse by it, and a page shows it. */
import type { SlipwayError } from '#lib/api/errors.ts';
import { own, type JsonObject } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { type RefusedField, refusedFields } from '#lib/api/support/judge.ts';
import type { ClaimKind } from '#lib/api/support/rows.ts';
import type { FlavourColumn } from '#lib/api/support/support.ts';
import { AWS_SUPPORT } from './aws/support.ts';
import { AZURE_SUPPORT } from './azure/support.ts';
import { EXISTING_SUPPORT } from './existing/support.ts';
import { GCP_SUPPORT } from './gcp/support.ts';

/** By the name in a Composition. */
export const SUPPORT: Readonly<Record<string, FlavourColumn>> = {
  aws: AWS_SUPPORT,
  azure: AZURE_SUPPORT,
  existing: EXISTING_SUPPORT,
  gcp: GCP_SUPPORT,
};

/**
 * Throws Unsupported for the first field that the cloud refuses by name.
 * @param cloud  as in an input; undefined, or one that is not listed: it judges its claims itself
 * @param isThere  whether what exists has the value already: a cloud that refuses it later leaves it
 * @returns the first value that is there
 */
export function refuseUnsupported(
  kind: ClaimKind,
  spec: object,
  cloud: string | undefined,
  owner: string,
  isThere: (field: RefusedField) => boolean = () => false,
): SlipwayError | undefined {
  const column = cloud === undefined ? undefined : own(SUPPORT, cloud);
  const refused = column === undefined ? [] : refusedFields(kind, spec as JsonObject, column);
  const errorOf = ({ field, value, accepted, inList = { path: field, value } }: RefusedField): SlipwayError =>
    refusal(owner, inList.path, inList.value, accepted, 'Unsupported');
  const fault = refused.find((one) => !isThere(one));
  if (fault !== undefined) throw errorOf(fault);
  const [first] = refused;
  return first && errorOf(first);
}
