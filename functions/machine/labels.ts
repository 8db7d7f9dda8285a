/** The labels everything a Machine composes carries. */
import { LABEL } from '#lib/api/words.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';

export function labelsOf({ spec }: Machine): Record<string, string> {
  const { clusterRef, nodePoolRef, role } = spec;
  return {
    [LABEL.clusterName]: clusterRef.name,
    [LABEL.cluster]: clusterRef.name,
    [LABEL.role]: role,
    ...(nodePoolRef === undefined ? {} : { [LABEL.nodePool]: nodePoolRef.name }),
  };
}
