/**
 * One apply often edits a Cluster and its pools, such as a version and the image for it. A pool that begins with its part
 * before the Cluster has judged the other part would replace its machines twice.
 */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { API_VERSION, CONDITION } from '#lib/api/words.ts';
import { claimedSpec } from '#lib/fn/claimed-spec.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { MARKS, recordedOf } from './accepted.ts';
import { isSameTemplate } from './outdated.ts';
import type { PoolSituation } from './situation.ts';
import { templateOf } from './template.ts';
import type { VersionPlan } from './version.ts';

/**
 * The version plan, held while the Cluster has an edit that it neither accepted nor refused; and an image, while the Cluster
 * refuses an edit with another version, for which the image may be. The pool reads the Cluster itself only at the moment when
 * an edit of the pool begins: on Crossplane 2.4, each write to it calls whoever requires it.
 * @param facts  the Cluster as it was accepted
 */
export function afterCluster(
  reply: Reply,
  situation: PoolSituation,
  plan: VersionPlan,
  cluster: Cluster,
  facts: KubeObject,
): VersionPlan {
  if (plan.held !== undefined || plan.version === undefined) return plan;
  const edit = editOf(situation, cluster, plan.version);
  if (edit === undefined) return plan;
  const { namespace } = situation.pool.metadata;
  const { name } = situation.pool.spec.clusterRef;
  const claims = reply.require('cluster-claim', {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    namespace,
    matchName: name,
  });
  if (claims === undefined || claims.some((claim) => isUnjudged(claim, facts)))
    return held(plan, `the edit waits until Cluster ${name} has accepted or refused its own edit`);
  const [asked] = claims.flatMap((claim) => stringAt(claim, 'spec', 'version') ?? []);
  if (!edit.isOfImage || asked === undefined || asked === cluster.spec.version) return plan;
  return held(plan, `the image waits until Cluster ${name}, whose edit to ${asked} is refused, is mended`);
}

function held(plan: VersionPlan, message: string): VersionPlan {
  return { ...plan, held: { reason: 'WaitingForCluster', message } };
}

/** What the claim changes of new machines; undefined: nothing. */
function editOf(
  { pool, previous }: PoolSituation,
  cluster: Cluster,
  version: string,
): { readonly isOfImage: boolean } | undefined {
  const accepted = recordedOf(previous)?.template;
  const asked = templateOf(pool, cluster, version);
  if (accepted === undefined || isSameTemplate(accepted, asked, MARKS)) return undefined;
  return { isOfImage: pool.spec.version === undefined && accepted.machine.image !== asked.machine.image };
}

function isUnjudged(claim: KubeObject, facts: KubeObject): boolean {
  if (sameJson(claimedSpec(claim.spec), facts.spec ?? {})) return false;
  if (lookedAt(claim) !== claim.metadata?.generation) return true;
  const isRefused = conditionOf(claim, CONDITION.claimAccepted)?.status === 'False';
  return !isRefused && conditionOf(claim, 'Synced')?.status !== 'False';
}

/** The generation that Crossplane looked at last, with which it marks its own conditions and none of a function. */
function lookedAt(claim: KubeObject): unknown {
  const conditions = at(claim, 'status', 'conditions');
  const synced = (Array.isArray(conditions) ? conditions : []).find(
    (one: unknown) => stringAt(one, 'type') === 'Synced',
  );
  return at(synced, 'observedGeneration');
}
