/** The decision about a changed field, and who makes the change. */
import type { Change } from './change.ts';
import type { Decision } from './input.ts';
import type { Fault } from './rulebook.ts';

/** Who updates a field in place. */
export interface Assignment {
  readonly name: string;
  /** Claimant: the function that claimed it. */
  readonly runsOn: 'Machine' | 'Node' | 'Claimant';
  readonly disruptive: boolean;
  readonly timeout: string;
}

/** Hold: the field stays as it is until another problem is fixed. */
export type FieldDecision = Decision | 'Hold';

export interface Verdict {
  readonly decision: FieldDecision;
  /** Index of the rule that decided or that is invalid; undefined: a claim or `otherwise`. */
  readonly rule: number | undefined;
  readonly updaters: readonly Assignment[];
  readonly reason: string;
  /** What must be fixed before it continues. */
  readonly blockedBy: string | undefined;
  /**
   * Only for Hold. Fallback: it needs a new machine, and update.fallback forbids that. Rule: a rule is invalid. Edit: a
   * direct edit that cannot be reverted.
   */
  readonly hold: 'Fallback' | 'Rule' | 'Edit' | undefined;
  /** A rule that failed on these very values. */
  readonly fault: Fault | undefined;
}

export type Decided = Change & Verdict;
