/** The clouds that have update rules, one line each: they are generated from these tables. */
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
