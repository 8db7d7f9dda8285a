/** What each cloud makes of the fields of a claim, one line each: functions refuse by it, and a page shows it. */
import { own, type JsonObject } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { refusedField } from '#lib/api/support/judge.ts';
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
 */
export function refuseUnsupported(kind: ClaimKind, spec: object, cloud: string | undefined, owner: string): void {
  const column = cloud === undefined ? undefined : own(SUPPORT, cloud);
  const found = column === undefined ? undefined : refusedField(kind, spec as JsonObject, column);
  if (found !== undefined) throw refusal(owner, found.field, found.value, found.accepted, 'Unsupported');
}
