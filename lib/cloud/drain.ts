/** The Usage that keeps a part of a machine until its node is drained and gone: its deletion is refused, and replayed then. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { NODE_API_VERSION, USAGE_API_VERSION } from '#lib/api/words.ts';
import { labelsOf } from './labels.ts';

/** @param key  composition resource name of the Usage */
export function usageByNode(machine: Machine, key: string, part: KubeObject, reason: string): KubeObject {
  const { name, namespace } = machine.metadata;
  return {
    apiVersion: USAGE_API_VERSION,
    kind: 'Usage',
    metadata: { name: `${name}-${key}`, namespace, labels: labelsOf(machine) },
    spec: {
      of: { apiVersion: part.apiVersion, kind: part.kind, resourceRef: { name: part.metadata?.name ?? name } },
      by: { apiVersion: NODE_API_VERSION, kind: 'WorkloadNode', resourceRef: { name } },
      reason,
      replayDeletion: true,
    },
  };
}
