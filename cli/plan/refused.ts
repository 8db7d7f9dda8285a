/** A refused edit, with the message of whoever refuses it. */
import type { z } from 'zod';
import { accepted } from '#lib/api/issues.ts';
import { type KubeObject, own } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { NodePool } from '#lib/api/kinds/node-pool.ts';
import { type Issue, issuesOf } from '#lib/api/parse.ts';
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
  const ours = ourWords(claim);
  return issues.map(({ path, message }) => {
    const steps = parsePath(path);
    const secret = steps.length > 0 && isSecret(steps, claim);
    return {
      ...about(claim, owner),
      field: path,
      ...shownChange({ old: valueAt(live, steps), new: valueAt(claim, steps) }, steps, claim),
      decision: 'Refused',
      // A message quotes the value it refuses.
      reason: secret ? 'its value is not accepted' : (ours.get(path) ?? message),
      blockedBy: 'the API',
      held: true,
    };
  });
}

const KINDS: Readonly<Record<string, z.ZodType>> = { Cluster, NodePool };

/** What the functions say of the same fields: the API server says only which pattern a text does not match. */
function ourWords(claim: KubeObject): ReadonlyMap<string, string> {
  const { status: _status, ...document } = claim;
  const schema = own(KINDS, claim.kind);
  const parsed = schema?.safeParse(document, { error: accepted });
  if (schema === undefined || parsed?.error === undefined) return new Map();
  return new Map(issuesOf(schema, parsed.error, document).map(({ path, message }) => [path, message]));
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
