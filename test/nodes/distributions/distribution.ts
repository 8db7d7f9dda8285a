/** What the lab boots: claims, the image of their machines, the order in which these boot, and what is looked at then. */
import type { Case } from '../cases/case.ts';
import type { Lab, Log } from '../lab/lab.ts';
import type { Folders } from '../lab/machine.ts';

export interface Distribution {
  readonly name: string;
  /** File with a Cluster and its NodePools. */
  readonly claims: string;
  /** Builds what only this distribution needs, if that takes too long to do it unasked. */
  readonly build?: (log: Log) => void;
  /** The root folder of an image, made once. Throws MissingError, in one line, if it is not available. */
  readonly image: (log: Log) => Promise<string>;
  readonly folders: Folders;
  /** Boots the machines, and returns when all are Ready Nodes. */
  readonly boot: (lab: Lab, log: Log) => Promise<void>;
  readonly cases: readonly Case[];
}
