/** A case: one statement about machines that have booted. */
import type { Lab } from '../lab/lab.ts';

export interface Case {
  /** One word or two, for the table. */
  readonly name: string;
  /** Throws when what it says is not so; gives a few words for the table. */
  run(lab: Lab): Promise<string>;
}
