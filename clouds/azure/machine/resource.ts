/** A managed resource of a machine on Azure. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { filled } from '#lib/cloud/reported.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { asDesired } from '#lib/fn/keep.ts';
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

/** What exists, unchanged, with the id that its provider knows it by, also before the provider writes it. */
export function keptPart(made: KubeObject): KubeObject {
  const kept = asDesired(made);
  const name = filled(made.metadata?.annotations?.[CROSSPLANE.externalName]);
  if (name === undefined) return kept;
  const annotations = { ...kept.metadata?.annotations, [CROSSPLANE.externalName]: name };
  return { ...kept, metadata: { ...kept.metadata, annotations } };
}
