/** Bootstrap tokens in a workload cluster: Secrets that it accepts while a machine joins. */
import type { KubeClient } from '#lib/kube/client.ts';
import { KubeRefusal } from '#lib/kube/refusal.ts';
import { expiryPatch, joinTokenOf, TOKEN_NAMESPACE, tokenSecret } from '#lib/node/bootstrap-token.ts';
import type { Action } from '#lib/node/decision.ts';
import type { NodeSituation } from '#lib/node/situation.ts';
import { MANAGER, SECRETS } from './kinds.ts';

/** @param token  as the Secret holds it now: if it changed since it was looked at, that is what came of it */
export async function admit(
  client: KubeClient,
  { kind, tokenSecret: name, expiresAt }: Extract<Action, { do: 'AdmitToken' }>,
  token: string | undefined,
  machine: { readonly namespace: string; readonly name: string },
): Promise<Pick<NodeSituation, 'admitted' | 'joinToken'>> {
  const secret = tokenSecret(kind, token ?? '', expiresAt, `${machine.namespace}/${machine.name}`);
  if (secret.metadata?.name !== name) return { joinToken: joinTokenOf(token) };
  await client.apply(SECRETS, secret, { manager: MANAGER, force: true });
  return { admitted: { tokenSecret: name, expiresAt } };
}

export async function expire(
  client: KubeClient,
  { tokenSecret: name, expiresAt }: Extract<Action, { do: 'ExpireToken' }>,
): Promise<Pick<NodeSituation, 'admitted'>> {
  const secret = { namespace: TOKEN_NAMESPACE, name };
  try {
    await client.patch(SECRETS, secret, expiryPatch(expiresAt), { manager: MANAGER });
  } catch (thrown) {
    if (!KubeRefusal.has(thrown, 404)) throw thrown;
  }
  return { admitted: { tokenSecret: name, expiresAt } };
}

/** One that is gone is fine. */
export async function withdraw(client: KubeClient, name: string): Promise<void> {
  await client.delete(SECRETS, { namespace: TOKEN_NAMESPACE, name });
}
