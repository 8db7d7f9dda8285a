/** The pods of a Node, and their eviction. */
import { type Json, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { PODS } from '#lib/kube/port-forward.ts';
import { KubeRefusal } from '#lib/kube/refusal.ts';
import type { PodName } from '#lib/node/decision.ts';
import type { Eviction, Pods } from '#lib/node/situation.ts';
import { DAEMON_SETS, NAMESPACES } from './kinds.ts';
import { slimPod } from './slim.ts';

/**
 * Read from the API, and not from a cache: nothing may be evicted twice.
 * @param withNamespaces  whether a rule of the drain asks for the labels of namespaces
 */
export async function podsOn(client: KubeClient, node: string, withNamespaces: boolean): Promise<Pods> {
  const { items } = await client.list(PODS, { fields: `spec.nodeName=${node}` }, slimPod);
  const owners = new Map(
    items.flatMap((pod) => ownerOf(pod) ?? []).map((one) => [`${one.namespace}/${one.name}`, one]),
  );
  const daemonSets = new Set<string>();
  await Promise.all(
    [...owners].map(async ([key, owner]) => {
      if ((await client.find(DAEMON_SETS, owner)) !== undefined) daemonSets.add(key);
    }),
  );
  return { items, daemonSets, ...(withNamespaces ? { namespaces: await namespacesOf(client) } : {}) };
}

async function namespacesOf(client: KubeClient): Promise<NonNullable<Pods['namespaces']>> {
  const { items } = await client.list(NAMESPACES, {});
  return new Map(items.map(({ metadata }) => [metadata?.name ?? '', metadata?.labels ?? {}]));
}

/**
 * Asks for the eviction of a pod.
 * @param uid  of the pod that was listed: another one of the name may run elsewhere by now
 * Throws KubeRefusal when the API cannot answer now, Unreachable.
 */
export async function evict(
  client: KubeClient,
  pod: PodName,
  uid: string | undefined,
  gracePeriodSeconds: number | undefined,
): Promise<Eviction> {
  const deleteOptions = {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(uid === undefined ? {} : { preconditions: { uid } }),
  };
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { ...pod }, deleteOptions };
  try {
    await client.post(PODS, pod, 'eviction', body, `evict Pod "${pod.namespace}/${pod.name}"`);
    return 'Accepted';
  } catch (thrown) {
    if (thrown instanceof KubeRefusal) return answerOf(thrown);
    throw thrown;
  }
}

function answerOf(refusal: KubeRefusal): Eviction {
  // Gone, or another pod of the name: either way it is not on this Node any more.
  if (refusal.status === 404 || refusal.status === 409) return 'Accepted';
  const budget = refusal.causes.find(({ reason }) => reason === 'DisruptionBudget');
  if (refusal.status === 429 && budget !== undefined)
    return { isBudget: true, refusal: budget.message === '' ? refusal.text : budget.message };
  if (refusal.causes.some(({ reason }) => reason === 'NamespaceTerminating'))
    return { isBudget: false, refusal: 'its namespace is being deleted, which also ends it' };
  // Two budgets for one pod are a mistake in the cluster, which the API reports as its own error.
  if (refusal.status === 500 || refusal.status === 403 || refusal.status === 429)
    return { isBudget: false, refusal: refusal.text };
  throw refusal;
}

function ownerOf(pod: KubeObject): { readonly namespace: string; readonly name: string } | undefined {
  const owners = at(pod, 'metadata', 'ownerReferences');
  const owner = (Array.isArray(owners) ? (owners as readonly Json[]) : [])
    .filter(isJsonObject)
    .find((one) => one['controller'] === true && one['kind'] === 'DaemonSet');
  const name = stringAt(owner, 'name');
  return name === undefined ? undefined : { namespace: pod.metadata?.namespace ?? '', name };
}
