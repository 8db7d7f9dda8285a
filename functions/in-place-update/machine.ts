/** Machines among the objects of a group: only of these it is known what their fields mean. */
import { GROUP } from '#lib/api/words.ts';
import type { KubeObject } from '#lib/api/json.ts';

/** Whatever version of the API it is written in: another release of the step before may have its own. */
export function isMachine({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return kind === 'Machine' && apiVersion.startsWith(`${GROUP}/`);
}
