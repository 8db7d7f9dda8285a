/** The fields of every kind of each cloud, one line each: overrides are judged by them at the claim. */
import { own } from '#lib/api/json.ts';
import type { KindFields } from '#lib/api/kind-fields.ts';
import { KIND_FIELDS as aws } from './aws/kind-fields.ts';
import { KIND_FIELDS as azure } from './azure/kind-fields.ts';
import { KIND_FIELDS as existing } from './existing/kind-fields.ts';
import { KIND_FIELDS as gcp } from './gcp/kind-fields.ts';

const ALL: Readonly<Record<string, KindFields>> = { aws, azure, existing, gcp };

/** @param cloud  as in an input; of a cloud that is not listed, nothing is known */
export function kindFieldsOf(cloud: string | undefined): KindFields | undefined {
  return cloud === undefined ? undefined : own(ALL, cloud);
}
