/** A case of the end-to-end suite: one scenario on the lab that the cases before it left behind. */
import type { Lab } from '../lab/lab.ts';

export interface Case {
  /** One word or two, for the table and for --case. */
  readonly name: string;
  /** Cases whose outcome this one starts from. */
  readonly after?: readonly string[];
  /** Needs nothing of the lab and mostly computes: begun with the first case, while others mostly wait. */
  readonly beside?: boolean;
  /** Whether calls, creations, deletions and writes belong in the report. */
  readonly counted?: boolean;
  /** Crossplane as it comes, instead of with the settings that docs/install.md recommends. */
  readonly defaults?: boolean;
  /** Throws when what it says is not so; gives a few words for the table. */
  run(lab: Lab, log: (line: string) => void): Promise<string>;
}

/** Throws with the sentence when it does not hold. */
export function hold(what: string, holds: boolean, seen = ''): void {
  if (!holds) throw new Error(seen === '' ? what : `${what}; seen: ${seen}`);
}
