/** Machines in a group: only for these the meaning of fields is known. */
import { GROUP } from '#lib/api/words.ts';
import type { KubeObject } from '#lib/api/json.ts';

/** In any API version, because another release of the previous step may use another one. */
export function isMachine({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return kind === 'Machine' && apiVersion.startsWith(`${GROUP}/`);
}
