/** The labels everything a Machine composes carries. */
import { clusterLabels, LABEL } from '#lib/api/words.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';

export function labelsOf({ spec }: Machine): Record<string, string> {
  const { clusterRef, nodePoolRef, role } = spec;
  return {
    ...clusterLabels(clusterRef.name),
    [LABEL.role]: role,
    ...(nodePoolRef === undefined ? {} : { [LABEL.nodePool]: nodePoolRef.name }),
  };
}
