/** A case of the suite: one scenario on the lab as the cases before it left it. */
import type { AwsLab } from '../lab/aws-lab.ts';

export interface Case {
  /** For the table and for --case. */
  readonly name: string;
  /** Cases that must run before this one. */
  readonly after?: readonly string[];
  /** Throws when a check fails; returns what was seen, with figures, in one line. */
  run(lab: AwsLab, log: (line: string) => void): Promise<string>;
}
