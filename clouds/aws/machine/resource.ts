/** A managed resource of a machine on AWS. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { managedByMachine } from '#lib/cloud/managed.ts';
import { type AwsKind, apiVersionOf } from '../kinds.ts';
import type { Situation } from './situation.ts';

/** @param initProvider fields that are only used on creation */
export function managed(
  situation: Situation,
  kind: AwsKind,
  name: string,
  forProvider: JsonObject,
  initProvider?: JsonObject,
): KubeObject {
  return managedByMachine(situation, { apiVersion: apiVersionOf(kind), kind, name, forProvider, initProvider });
}
