/** The simulated clouds, one line each, for the simulator in simulations, plans and tests. */
import { AWS } from '#clouds/aws/simulated/aws.ts';
import { AZURE } from '#clouds/azure/simulated/azure.ts';
import { EXISTING } from '#clouds/existing/simulated/existing.ts';
import { GCP } from '#clouds/gcp/simulated/gcp.ts';
import type { CloudModel } from '#simulator/cloud/machine.ts';

export const SIMULATED_CLOUDS: readonly CloudModel[] = [AWS, AZURE, EXISTING, GCP];
