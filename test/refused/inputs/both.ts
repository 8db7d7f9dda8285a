/** Fields that a Cluster and a NodePool have in the same words. */
import type { JsonObject } from '#lib/api/json.ts';

export const update = (fields: JsonObject): JsonObject => ({ update: fields });
export const health = (fields: JsonObject): JsonObject => ({ health: fields });
export const overriding = (kind: string, forProvider: JsonObject): JsonObject => ({
  infrastructure: { overrides: [{ kind, patch: { spec: { forProvider } } }] },
});
export const label = (key: string, value = 'x'): JsonObject => ({ labels: { [key]: value } });
export const taint = (...taints: JsonObject[]): JsonObject => ({ taints });
