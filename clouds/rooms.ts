/** The clouds that say how much first-boot data a machine may have, one line each. */
import { own } from '#lib/api/json.ts';
import type { Rooms } from '#lib/cloud/size.ts';
import { AWS_ROOMS } from './aws/machine/size.ts';
import { AZURE_ROOMS } from './azure/machine/size.ts';
import { GCP_ROOMS } from './gcp/machine/size.ts';

const ROOMS: Readonly<Record<string, Rooms>> = { aws: AWS_ROOMS, azure: AZURE_ROOMS, gcp: GCP_ROOMS };

/** @param cloud  as in an input; undefined: nothing is known, or there is no limit */
export function roomsOf(cloud: string | undefined): Rooms | undefined {
  return cloud === undefined ? undefined : own(ROOMS, cloud);
}
