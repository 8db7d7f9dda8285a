/** What the lab boots: claims, the image of their machines, the order in which these boot, and what is looked at then. */
import type { Case } from '../cases/case.ts';
import type { Lab, Log } from '../lab/lab.ts';
import type { Folders } from '../lab/machine.ts';

export interface Distribution {
  readonly name: string;
  /** File with a Cluster and its NodePools. */
  readonly claims: string;
  /** The version of the claim before an edit makes it that of the file; left out: there was no edit. */
  readonly before?: string;
  /** Builds what only this distribution needs, if that takes too long to do it unasked. */
  readonly build?: (log: Log) => void;
  /** Root folders of images by version, each made once. Throws MissingError, in one line, if there is none. */
  readonly images: (log: Log) => Promise<(version: string) => string>;
  readonly folders: Folders;
  /** Boots the machines, and returns when all are Ready Nodes. */
  readonly boot: (lab: Lab, log: Log) => Promise<void>;
  readonly cases: readonly Case[];
}
