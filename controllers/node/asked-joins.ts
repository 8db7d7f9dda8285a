/** Tokens that a workload cluster makes when it is asked, each in a Secret next to its WorkloadNode. */
import { messageOf } from '#lib/api/errors.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { askedSecret, isOwnedBy } from '#lib/node/asked-join.ts';
import type { Action } from '#lib/node/decision.ts';
import type { HeldToken, NodeSituation } from '#lib/node/situation.ts';
import { MANAGER, SECRETS } from './kinds.ts';
import { K8sd } from './membership/k8sd.ts';
import { authTokenIn } from './membership/store.ts';

type Request = Omit<Extract<Action, { do: 'RequestToken' }>, 'do' | 'why'>;

/** Asks k8sd of a workload cluster. Throws why there is no token. @param auth  what lets in */
export type AskToken = (workload: KubeClient, auth: string, request: Request) => Promise<string>;

export const askK8sd: AskToken = async (client, token, { name, worker, seconds }) =>
  K8sd.first({ client, token }, (k8sd) => k8sd.joinToken(name, worker, seconds));

export async function heldToken(management: KubeClient, object: KubeObject): Promise<HeldToken> {
  const secret = await secretOf(management, object, 'secretRef');
  if (secret === undefined) return 'Missing';
  return isOwnedBy(secret, object) ? 'Ours' : 'Theirs';
}

/** Throws nothing: what is refused is said on the object. */
export async function requestToken(
  parts: { readonly management: KubeClient; readonly workload: KubeClient; readonly ask: AskToken },
  request: Request,
  object: KubeObject,
): Promise<Pick<NodeSituation, 'requested'>> {
  const { management, workload, ask } = parts;
  try {
    const auth = await secretOf(management, object, 'authSecretRef');
    if (auth === undefined) throw new Error('the Secret of spec.join.authSecretRef does not exist');
    const token = authTokenIn({ token: Buffer.from(stringAt(auth, 'data', 'token') ?? '', 'base64').toString('utf8') });
    const secret = askedSecret(object, await ask(workload, token, request));
    const isThere = (await heldToken(management, object)) === 'Ours';
    const write = { manager: MANAGER };
    // To create fails if a person was faster.
    if (isThere) await management.apply(SECRETS, secret, { ...write, force: true });
    else await management.create(SECRETS, secret, write);
    return { requested: 'Written' };
  } catch (thrown) {
    return { requested: { refusal: messageOf(thrown) } };
  }
}

export async function dropToken(management: KubeClient, object: KubeObject): Promise<Pick<NodeSituation, 'withdrawn'>> {
  const secret = await secretOf(management, object, 'secretRef');
  if (secret !== undefined && isOwnedBy(secret, object)) {
    const { namespace, name = '', uid } = secret.metadata ?? {};
    await management.delete(SECRETS, { namespace, name }, uid);
  }
  return { withdrawn: true };
}

async function secretOf(
  management: KubeClient,
  object: KubeObject,
  field: 'secretRef' | 'authSecretRef',
): Promise<KubeObject | undefined> {
  const name = stringAt(object, 'spec', 'join', field, 'name');
  if (name === undefined) return undefined;
  return management.find(SECRETS, { namespace: object.metadata?.namespace, name });
}
