/** A managed resource of a machine: names, labels and credentials, the same for every kind. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { labelsOf } from '#lib/cloud/labels.ts';
import { type GcpKind, apiVersionOf } from '../kinds.ts';
import type { Situation } from './situation.ts';

interface Own {
  /** Of the Kubernetes object. */
  readonly name: string;
  /** Name in GCP, for kinds where it is the id; left out: the cloud gives an id. */
  readonly externalName?: string;
  readonly forProvider: JsonObject;
  /** Fields that are only used on creation. */
  readonly initProvider?: JsonObject | undefined;
}

export function managed(
  { machine, input }: Situation,
  kind: GcpKind,
  { name, externalName, forProvider, initProvider }: Own,
): KubeObject {
  return {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: {
      name,
      namespace: machine.metadata.namespace,
      labels: labelsOf(machine),
      ...(externalName === undefined ? {} : { annotations: { [CROSSPLANE.externalName]: externalName } }),
    },
    spec: {
      forProvider,
      ...(initProvider === undefined ? {} : { initProvider }),
      providerConfigRef: input.providerConfigRef,
    },
  };
}
