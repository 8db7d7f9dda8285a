/** What each cloud composes of a machine, one line each: overrides are judged by it at the claim. */
import { own } from '#lib/api/json.ts';
import type { ResourceNames } from '#lib/api/resource-names.ts';
import { MACHINE_RESOURCES as aws } from './aws/kinds.ts';
import { MACHINE_RESOURCES as azure } from './azure/kinds.ts';
import { MACHINE_RESOURCES as existing } from './existing/kinds.ts';
import { MACHINE_RESOURCES as gcp } from './gcp/kinds.ts';

const ALL: Readonly<Record<string, ResourceNames>> = { aws, azure, existing, gcp };

/** @param cloud  as in an input; of a cloud that is not listed, nothing is known */
export function machineResourcesOf(cloud: string | undefined): ResourceNames | undefined {
  return cloud === undefined ? undefined : own(ALL, cloud);
}
