/** Files of a bootstrap plan. */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';

/** A file owned by root, with this text. */
export function planFile(path: string, text: string, mode: '0600' | '0640' | '0644' | '0700' | '0755'): PlanFile {
  const content = Buffer.from(text).toString('base64');
  return { path, content, mode, owner: 'root:root', append: false, instanceVariables: false };
}

/** Written once a machine is a node. Not below /run, which may not survive the first boot. */
export const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';
