/** The clouds that have update rules, one line each: they are generated from these tables. */
import { own } from '#lib/api/json.ts';
import type { CloudFields } from '#lib/cloud/fields.ts';
import { AWS_FIELDS } from './aws/fields.ts';
import { AZURE_FIELDS } from './azure/fields.ts';
import { EXISTING_FIELDS } from './existing/fields.ts';
import { GCP_FIELDS } from './gcp/fields.ts';

/** By the name of the cloud's folder. */
export const CLOUD_FIELDS: Readonly<Record<string, CloudFields>> = {
  aws: AWS_FIELDS,
  azure: AZURE_FIELDS,
  existing: EXISTING_FIELDS,
  gcp: GCP_FIELDS,
};

/** @param cloud  as in an input; of a cloud that is not listed, nothing is known */
export function cloudFieldsOf(cloud: string | undefined): CloudFields | undefined {
  return cloud === undefined ? undefined : own(CLOUD_FIELDS, cloud);
}
