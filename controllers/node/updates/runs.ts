/** Runs updaters on a Node of a workload cluster, and tells what came of it. The objects there are all that is known. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { PODS } from '#lib/kube/port-forward.ts';
import { KubeRefusal } from '#lib/kube/refusal.ts';
import type { Run as Told } from '#lib/node/situation.ts';
import { MANAGER, NAMESPACES, SECRETS } from '../kinds.ts';
import { ENFORCE, NAMESPACE, nameOfRun, namespaceObject, podObject, type Run, secretObject } from './pod.ts';
import { runOf } from './result.ts';

/** @param scripts  by updater, in base64; undefined: their Secret is gone */
export async function lookAtRun(
  client: KubeClient,
  run: Pick<Run, 'node' | 'id'>,
  scripts: JsonObject | undefined,
): Promise<Told> {
  return runOf(await client.find(PODS, { namespace: NAMESPACE, name: nameOfRun(run) }), scripts && textsOf(scripts));
}

/**
 * Creates what is missing. A refusal by the cluster is a result, which names the policy: somebody may allow it.
 * @param seconds  for the run
 */
export async function startRun(
  client: KubeClient,
  run: Run,
  { image, seconds, scripts }: { readonly image: string; readonly seconds: number; readonly scripts: JsonObject },
): Promise<Told> {
  try {
    await prepareNamespace(client);
    const pod = await podFor(client, run, podObject(run, image, seconds));
    if (pod === undefined) return { state: 'Running' };
    await client.apply(SECRETS, secretObject(run, scripts, pod), { manager: MANAGER, force: true });
    return runOf(pod, textsOf(scripts));
  } catch (thrown) {
    if (!isRefused(thrown)) throw thrown;
    return { state: 'Waiting', cause: `the cluster refuses the pod that runs updaters: ${thrown.text}` };
  }
}

/** @param name  of the pod, and of its Secret */
export async function clearRun(client: KubeClient, name: string): Promise<void> {
  for (const resource of [PODS, SECRETS]) await client.delete(resource, { namespace: NAMESPACE, name });
}

/** One that somebody made as it has to be is left alone: where provider-node is no administrator, it may not write it. */
async function prepareNamespace(client: KubeClient): Promise<void> {
  const wanted = namespaceObject();
  const { labels = {} } = (await client.find(NAMESPACES, { name: NAMESPACE }))?.metadata ?? {};
  const isReady = labels[ENFORCE] === wanted.metadata?.labels?.[ENFORCE];
  if (!isReady) await client.apply(NAMESPACES, wanted, { manager: MANAGER, force: true });
}

/**
 * The pod that is there already. Undefined while one that failed, or that somebody deleted, is going: the unit on the
 * host goes on without it, and the next pass creates a pod that waits for it.
 */
async function podFor(client: KubeClient, run: Run, wanted: KubeObject): Promise<KubeObject | undefined> {
  const name = { namespace: NAMESPACE, name: nameOfRun(run) };
  const found = await client.find(PODS, name);
  if (found === undefined) return client.create(PODS, wanted, { manager: MANAGER });
  if (found.metadata?.deletionTimestamp !== undefined) return undefined;
  if (found.status?.['phase'] !== 'Failed') return found;
  await client.delete(PODS, name, found.metadata?.uid);
  return undefined;
}

/** By an admission policy, Pod Security, a webhook, a quota, or for lack of rights; not by a race with another pass. */
function isRefused(thrown: unknown): thrown is KubeRefusal {
  return thrown instanceof KubeRefusal && (thrown.status === 403 || thrown.status === 400 || thrown.status === 422);
}

function textsOf(scripts: JsonObject): readonly string[] {
  return Object.values(scripts)
    .filter((one) => typeof one === 'string')
    .map((one) => Buffer.from(one, 'base64').toString('utf8'));
}
