/** Volumes that are still attached to an empty Node: a machine that is deleted too early may damage them. */
import { firstNames } from '#lib/api/shortened.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { type Decision, look } from './decision.ts';
import { stayingOf } from './drain.ts';
import { isUnreachable, nameOf } from './node.ts';
import { claimsOf } from './pods.ts';
import type { NodeSituation } from './situation.ts';

/** How many volumes a message names. */
const NAMED = 3;

/** The next action, or what is waited for; undefined: nothing is attached that has to be detached. */
export function volumesOf(
  situation: NodeSituation,
  node: KubeObject,
): Decision | { readonly waits: string } | undefined {
  // Nobody on the machine confirms that a volume is not in use any more.
  if (isUnreachable(node)) return undefined;
  const { volumes } = situation;
  if (volumes === undefined) return look('Volumes', `Node "${nameOf(node)}" is empty`);
  const staying = new Set(stayingOf(situation, node).flatMap(claimsOf));
  const left = volumes.filter(({ claim }) => claim === undefined || !staying.has(claim)).map(({ name }) => name);
  if (left.length === 0) return undefined;
  return { waits: `waits until ${firstNames(left.toSorted(), NAMED)} ${left.length === 1 ? 'is' : 'are'} detached` };
}
