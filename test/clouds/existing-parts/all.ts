/** Every part that somebody else may provide, on every cloud that makes parts. */
import { AWS_CASE } from './aws.ts';
import { AZURE_CASE } from './azure.ts';
import type { CloudCase } from './case.ts';
import { GCP_CASE } from './gcp.ts';

export const CLOUD_CASES: readonly CloudCase[] = [AWS_CASE, AZURE_CASE, GCP_CASE];
