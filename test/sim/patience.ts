/** How long a pool waits for a machine to become a node, and for a sick node to recover: in seconds. */
import { seconds } from '#lib/api/fields/text.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';

export function startupOf(pool: KubeObject): number {
  return seconds(stringAt(pool, 'spec', 'health', 'nodeStartupTimeout') ?? '20m');
}

export function unhealthyAfter(pool: KubeObject): number {
  const conditions = at(pool, 'spec', 'health', 'unhealthyConditions');
  const [first] = Array.isArray(conditions) ? (conditions as readonly unknown[]) : [];
  return seconds(stringAt(first, 'timeout') ?? '5m');
}
