/**
 * A token that the cluster itself makes: it is asked for before the machine is created, because first-boot data contains
 * it, and deleted once the Node is there. A token that a person supplied is used, and never replaced or deleted.
 */
import { WorkloadNodeJoin } from '#lib/api/fields/join.ts';
import { seconds, stampOf, timeOf } from '#lib/api/fields/text.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { clusterLabels, NODE_API_VERSION, SECRET_TYPE } from '#lib/api/words.ts';
import { type Decision, look } from './decision.ts';
import { act, DONE, type Joining } from './joining.ts';
import { nameAsked } from './node.ts';
import type { NodeSituation } from './situation.ts';

type Join = ReturnType<typeof WorkloadNodeJoin.parse>;

/** While the Node has not registered. */
export function askedAdmission({ object, now, heldToken, requested }: NodeSituation, join: Join): Joining {
  const life = seconds(join.ttl);
  const left = ((timeOf(stringAt(object, 'status', 'join', 'expiresAt')) ?? now) - now) / 1000;
  if (requested === 'Written') {
    // k8sd gives the same token as long as it is valid: its end does not move.
    const ends = left > 0 ? left : life;
    const expiresAt = stampOf(now + ends * 1000);
    return { way: 'Done', status: { join: { secretRef: { name: join.secretRef.name }, expiresAt } }, due: ends };
  }
  if (requested !== undefined) return { way: 'Wait', message: `waiting for a join token: ${requested.refusal}` };
  if (heldToken === undefined) return act(look('HeldToken', 'the machine joins by a token that its cluster makes'));
  if (heldToken === 'Theirs') return DONE;
  if (heldToken === 'Ours' && left > 0) return { ...DONE, due: left };
  const worker = join.kind === 'CanonicalKubernetesWorker';
  const why = heldToken === 'Ours' ? 'its token has expired' : 'the machine waits for its token';
  return act({ next: { do: 'RequestToken', name: nameAsked(object), worker, seconds: life, why } });
}

/** Once the Node is there. */
export function askedWithdrawal({ heldToken, withdrawn }: NodeSituation): Joining {
  const joined: Joining = { way: 'Done', status: { join: { joined: true } } };
  if (withdrawn === true) return joined;
  const why = 'the Node is there';
  if (heldToken === undefined) return act(look('HeldToken', why));
  return heldToken === 'Ours' ? act({ next: { do: 'DropToken', why } }) : joined;
}

/** Before the object goes without a Node. */
export function askedAbandonment({ object, withdrawn }: NodeSituation): Decision | undefined {
  if (withdrawn === true || at(object, 'status', 'join', 'secretRef') === undefined) return undefined;
  return { next: { do: 'DropToken', why: 'the object is deleted' } };
}

/** Whether the Secret is owned by the object. */
export function isOwnedBy(secret: KubeObject, object: KubeObject): boolean {
  const owners = at(secret, 'metadata', 'ownerReferences');
  const { uid } = object.metadata ?? {};
  return uid !== undefined && Array.isArray(owners) && owners.some((owner) => stringAt(owner, 'uid') === uid);
}

/**
 * The Secret with the token, next to the object: it goes with it, and is known as one of its cluster.
 * @param token  as the cluster made it
 */
export function askedSecret(object: KubeObject, token: string): KubeObject {
  const { name = '', namespace, uid = '' } = object.metadata ?? {};
  const { secretRef } = WorkloadNodeJoin.parse(at(object, 'spec', 'join'));
  const cluster = stringAt(object, 'spec', 'clusterRef', 'name');
  const owner = { apiVersion: NODE_API_VERSION, kind: 'WorkloadNode', name, uid };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: secretRef.name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(cluster === undefined ? {} : { labels: clusterLabels(cluster) }),
      ownerReferences: [owner],
    },
    type: SECRET_TYPE,
    data: { [secretRef.key]: Buffer.from(token).toString('base64') },
  };
}
