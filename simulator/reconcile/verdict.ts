/** Crossplane's own two conditions of an XR, from the outcomes of its composed resources. */
import { type Condition, falseCondition, trueCondition } from '#lib/api/conditions.ts';
import type { Readiness } from '#lib/fn/request.ts';

/** The outcome for one composed resource in a reconcile. */
export interface ComposedOutcome {
  readonly key: string;
  readonly ready: boolean;
  /** False if the API server refused it as invalid. */
  readonly synced: boolean;
}

/** Synced and Ready; a readiness that functions set explicitly takes precedence over that of the resources. */
export function verdict(outcomes: readonly ComposedOutcome[], compositeReady: Readiness): readonly Condition[] {
  const unsynced = outcomes.filter(({ synced }) => !synced).map(({ key }) => key);
  const unready = outcomes.filter(({ ready }) => !ready).map(({ key }) => key);
  const synced =
    unsynced.length === 0
      ? trueCondition('Synced', 'ReconcileSuccess')
      : falseCondition('Synced', 'ReconcileError', `Unsynced resources: ${firstThree(unsynced)}`);
  return [synced, readiness(unready, compositeReady)];
}

function readiness(unready: readonly string[], compositeReady: Readiness): Condition {
  if (compositeReady === 'True') return trueCondition('Ready', 'Available');
  if (compositeReady === 'False') return falseCondition('Ready', 'Creating');
  if (unready.length === 0) return trueCondition('Ready', 'Available');
  return falseCondition('Ready', 'Creating', `Unready resources: ${firstThree(unready)}`);
}

/** How Crossplane lists names: sorted, the first three, and the number of the others. */
function firstThree(names: readonly string[]): string {
  const sorted = names.toSorted();
  if (sorted.length > 3) return `${sorted.slice(0, 3).join(', ')}, and ${sorted.length - 3} more`;
  if (sorted.length === 3) return `${sorted.slice(0, 2).join(', ')}, and ${sorted[2] ?? ''}`;
  return sorted.join(', ');
}
