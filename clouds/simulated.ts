/** The simulated clouds, one line each: what a simulation, a plan's trial and the tests hand to the simulator. */
import { AWS } from '#clouds/aws/simulated/aws.ts';
import type { CloudModel } from '#simulator/cloud/machine.ts';

export const SIMULATED_CLOUDS: readonly CloudModel[] = [AWS];
