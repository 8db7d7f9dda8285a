/** How names of each cloud look, one line each: a pool judges them before there is a machine. */
import { own } from '#lib/api/json.ts';
import type { NativeNames } from '#lib/cloud/native-names.ts';
import { NATIVE_NAMES as aws } from './aws/native-names.ts';
import { NATIVE_NAMES as azure } from './azure/native-names.ts';
import { NATIVE_NAMES as gcp } from './gcp/native-names.ts';

const ALL: Readonly<Record<string, NativeNames>> = { aws, azure, gcp };

/** @param cloud as in an input; of a cloud that is not listed, every name is taken as it is */
export function nativeNamesOf(cloud: string | undefined): NativeNames | undefined {
  return cloud === undefined ? undefined : own(ALL, cloud);
}
