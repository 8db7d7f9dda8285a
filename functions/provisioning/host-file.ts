/** A file on the host, independent of the format. */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { FilledFile } from '#lib/api/fields/customisation.ts';
import { NOT_PACKED, unpacked } from '#lib/api/packed.ts';
import { refusal } from '#lib/api/refusal.ts';

export interface HostFile {
  readonly path: string;
  readonly bytes: Buffer;
  /** Four octal digits; the first is 0, and a step sets it: what writes files loses it when it sets their owner. */
  readonly mode: string;
  /** `user:group`, by name or number. */
  readonly owner: string;
  readonly append: boolean;
  /** Whether it may contain data generated for the cluster, or of a Secret. Data in a claim itself is not secret. */
  readonly sealed: boolean;
}

/**
 * A file of the claim. Throws InvalidClaim if its content does not match its encoding.
 * @param what name of the claim in messages
 */
export function claimedFile(file: FilledFile, index: number, what: string): HostFile {
  const { path, mode, owner, append, content, contentFrom, encoding } = file;
  const stored = Buffer.from(content, encoding === 'plain' ? 'utf8' : 'base64');
  const refused = (accepted: string) => refusal(what, `spec.provisioning.files[${index}].encoding`, encoding, accepted);
  if (encoding !== 'plain' && bare(stored.toString('base64')) !== bare(content))
    throw refused('plain, since its content is not base64');
  const bytes = encoding === 'gzip+base64' ? unpacked(content) : stored;
  if (bytes === undefined) throw refused(NOT_PACKED);
  return { path, bytes, mode: `0${mode.slice(1)}`, owner, append, sealed: contentFrom !== undefined };
}

function bare(base64: string): string {
  return base64.replaceAll(/[\s=]/g, '');
}

/** A file of the bootstrap plan. */
export function plannedFile({ path, content, mode, owner, append }: PlanFile): HostFile {
  return { path, bytes: Buffer.from(content, 'base64'), mode, owner, append, sealed: true };
}

/** A file owned by root, with this text. */
export function rootFile(path: string, text: string, mode = '0644', append = false): HostFile {
  return { path, bytes: Buffer.from(text), mode, owner: 'root:root', append, sealed: false };
}
