/** A case: one statement about machines that have booted. */
import type { Lab } from '../lab/lab.ts';

export interface Case {
  /** One word or two, for the table. */
  readonly name: string;
  /** Throws when the statement is false; returns a few words for the table. */
  run(lab: Lab): Promise<string>;
}
