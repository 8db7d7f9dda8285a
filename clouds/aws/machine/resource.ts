/** A managed resource of a machine: names, labels and credentials, the same for every kind. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { labelsOf } from '#lib/cloud/labels.ts';
import { type AwsKind, apiVersionOf } from '../kinds.ts';
import type { Situation } from './situation.ts';

/** @param initProvider fields that are only used on creation */
export function managed(
  { machine, input }: Situation,
  kind: AwsKind,
  name: string,
  forProvider: JsonObject,
  initProvider?: JsonObject,
): KubeObject {
  return {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: { name, namespace: machine.metadata.namespace, labels: labelsOf(machine) },
    spec: {
      forProvider,
      ...(initProvider === undefined ? {} : { initProvider }),
      providerConfigRef: input.providerConfigRef,
    },
  };
}
