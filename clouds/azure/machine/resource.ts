/** A managed resource of a machine: names, labels and credentials, the same for every kind. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { labelsOf } from '#lib/cloud/labels.ts';
import { apiVersionOf, type AzureKind } from '../kinds.ts';
import type { Situation } from './situation.ts';

/** A composition resource name and what it stands for. */
export type Entry = readonly [key: string, resource: KubeObject];

interface Own {
  /** Of the Kubernetes object. */
  readonly name: string;
  /** Name in Azure, for kinds where it is part of the id; left out: the cloud gives an id. */
  readonly externalName?: string;
  readonly forProvider: JsonObject;
}

export function managed({ machine, input }: Situation, kind: AzureKind, own: Own): KubeObject {
  const { name, externalName, forProvider } = own;
  return {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: {
      name,
      namespace: machine.metadata.namespace,
      labels: labelsOf(machine),
      ...(externalName === undefined ? {} : { annotations: { [CROSSPLANE.externalName]: externalName } }),
    },
    spec: { forProvider, providerConfigRef: input.providerConfigRef },
  };
}
