/** A managed resource of a machine on GCP. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { managedByMachine } from '#lib/cloud/managed.ts';
import { apiVersionOf, type GcpKind } from '../kinds.ts';
import type { Situation } from './situation.ts';

interface Own {
  /** Of the Kubernetes object. */
  readonly name: string;
  /** In GCP. */
  readonly externalName?: string;
  readonly forProvider: JsonObject;
  /** Fields that are only used on creation. */
  readonly initProvider?: JsonObject | undefined;
}

export function managed(situation: Situation, kind: GcpKind, own: Own): KubeObject {
  return managedByMachine(situation, { apiVersion: apiVersionOf(kind), kind, ...own });
}
