/** A managed resource of a machine on Azure. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { managedByMachine } from '#lib/cloud/managed.ts';
import { apiVersionOf, type AzureKind } from '../kinds.ts';
import type { Situation } from './situation.ts';

interface Own {
  /** Of the Kubernetes object. */
  readonly name: string;
  /** In Azure: its name, or the id that the provider knows it by. */
  readonly externalName?: string | undefined;
  readonly forProvider: JsonObject;
}

export function managed(situation: Situation, kind: AzureKind, own: Own): KubeObject {
  return managedByMachine(situation, { apiVersion: apiVersionOf(kind), kind, ...own });
}
