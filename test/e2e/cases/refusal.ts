/** Deletions that the API server refuses, as kubectl shows them. */
import { messageOf } from '#lib/api/errors.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { hold } from './case.ts';
import { clusterRef, TEAM } from './scene.ts';

/** The error of the API server for `kubectl delete cluster`; undefined if it would accept. Nothing is deleted. */
export async function refusalOf(lab: Lab, cluster: string): Promise<string | undefined> {
  try {
    await lab.kubectl('-n', TEAM, 'delete', 'cluster.slipway.dev', cluster, '--dry-run=server', '--wait=false');
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** A real deletion, which must be refused with this message. */
export async function isRefused(lab: Lab, words: string, kind: string, name: string): Promise<string> {
  let answer = 'deleted';
  await lab
    .kubectl('-n', TEAM, 'delete', `${kind}.slipway.dev`, name, '--wait=false')
    .catch((thrown: unknown) => (answer = String(thrown)));
  hold(`the deletion of ${kind} ${name} is refused with ${words}`, answer.includes(words), answer);
  return answer;
}

/** `spec.deletionProtection` refuses the deletion even if nothing else does; without it the deletion is accepted. */
export async function protectionHolds(lab: Lab, cluster: string): Promise<void> {
  const protect = (deletionProtection: boolean) => lab.api.patch(clusterRef(cluster), { spec: { deletionProtection } });
  await protect(true);
  await until('deletionProtection refuses', { seconds: 60 }, async () => {
    const refusal = await refusalOf(lab, cluster);
    return refusal?.includes('spec.deletionProtection is true') === true
      ? { found: true }
      : { yet: refusal ?? 'deletable' };
  });
  await protect(false);
  await until('nothing protects any more', { seconds: 60 }, async () => {
    const refusal = await refusalOf(lab, cluster);
    return refusal === undefined ? { found: true } : { yet: refusal };
  });
}
