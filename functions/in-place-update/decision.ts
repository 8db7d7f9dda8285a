/** What is decided of a changed field, and who brings it about. */
import type { Change } from './change.ts';
import type { Decision } from './input.ts';
import type { Fault } from './rulebook.ts';

/** Who brings a field about in place. */
export interface Assignment {
  readonly name: string;
  /** Claimant: whoever claimed it. */
  readonly runsOn: 'Machine' | 'Node' | 'Claimant';
  readonly disruptive: boolean;
  readonly timeout: string;
}

/** Hold: the field stays as it is until something else is mended. */
export type FieldDecision = Decision | 'Hold';

export interface Verdict {
  readonly decision: FieldDecision;
  /** Index of the rule that decided or that is to blame; undefined: a claim or `otherwise`. */
  readonly rule: number | undefined;
  readonly updaters: readonly Assignment[];
  readonly reason: string;
  /** What must be mended before it goes on. */
  readonly blockedBy: string | undefined;
  /**
   * Only of Hold. Fallback: it needs another machine, and update.fallback forbids that. Rule: a rule is at fault. Edit: a
   * hand edit that cannot be set back.
   */
  readonly hold: 'Fallback' | 'Rule' | 'Edit' | undefined;
  /** A rule that failed on these very values. */
  readonly fault: Fault | undefined;
}

export type Decided = Change & Verdict;
