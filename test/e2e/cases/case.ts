/** A case of the end-to-end suite: one scenario on the lab as the cases before it left it. */
import type { Lab } from '../lab/lab.ts';

export interface Case {
  /** One word or two, for the table and for --case. */
  readonly name: string;
  /** Cases that must run before this one. */
  readonly after?: readonly string[];
  /** Needs nothing of the lab and mostly computes: started with the first case, while others mostly wait. */
  readonly beside?: boolean;
  /** Whether the report has calls, creations, deletions and writes. */
  readonly counted?: boolean;
  /** Crossplane with default settings, instead of those that docs/install.md recommends. */
  readonly defaults?: boolean;
  /** Throws when a check fails; returns a few words for the table. */
  run(lab: Lab, log: (line: string) => void): Promise<string>;
}

/** Throws with the message if the condition is false. */
export function hold(what: string, holds: boolean, seen = ''): void {
  if (!holds) throw new Error(seen === '' ? what : `${what}; seen: ${seen}`);
}
