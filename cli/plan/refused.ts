/** A refused edit, with the message of whoever refuses it. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Issue } from '#lib/api/parse.ts';
import { isSecret, shownChange } from '#lib/api/shown.ts';
import { parsePath, valueAt } from './difference.ts';
import type { PlanEntry } from './entry.ts';
import type { Refusal } from './rendering.ts';
import type { Owner } from './resources.ts';
import { nameOf } from './world.ts';

/** A function refuses the claim: it is stored, but has no effect. */
export function refusedEntry(claim: KubeObject, owner: Owner, { step, field, reason }: Refusal): PlanEntry {
  return {
    ...about(claim, owner),
    field,
    decision: 'Refused',
    reason,
    blockedBy: `pipeline step "${step}"`,
    held: true,
  };
}

/** The API refuses the claim: it is not stored. */
export function refusedEntries(
  claim: KubeObject,
  live: KubeObject | undefined,
  owner: Owner,
  issues: readonly Issue[],
): readonly PlanEntry[] {
  return issues.map(({ path, message }) => {
    const steps = parsePath(path);
    const secret = steps.length > 0 && isSecret(steps, claim);
    return {
      ...about(claim, owner),
      field: path,
      ...shownChange({ old: valueAt(live, steps), new: valueAt(claim, steps) }, steps, claim),
      decision: 'Refused',
      // A message quotes the value it refuses.
      reason: secret ? 'its value is not accepted' : message,
      blockedBy: 'the API',
      held: true,
    };
  });
}

function about(
  claim: KubeObject,
  { cluster, pool }: Owner,
): Pick<PlanEntry, 'kind' | 'namespace' | 'name' | 'cluster' | 'pool'> {
  const { namespace } = claim.metadata ?? {};
  return {
    kind: claim.kind,
    ...(namespace === undefined ? {} : { namespace }),
    name: nameOf(claim),
    cluster,
    ...(pool === undefined ? {} : { pool }),
  };
}
