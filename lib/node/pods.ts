/** What a drain does with each pod of a Node: as Cluster API and `kubectl drain` do, and by the rules of the object. */
import type { DrainAsked } from '#lib/api/fields/drain.ts';
import { selects } from '#lib/api/fields/selector.ts';
import { type Json, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Pods } from './situation.ts';

/** `Stays`: the Node counts as empty although the pod is there. */
export type Treatment = 'Stays' | { readonly behaviour: 'Drain' | 'WaitCompleted'; readonly order: number };

/** Cluster API's label: a pod that is not drained, or that is waited for until it has finished by itself. */
const DRAIN_LABEL = 'cluster.x-k8s.io/drain';
/** Set by the kubelet on pods it runs from files of its own. */
const MIRROR = 'kubernetes.io/config.mirror';
/** Milliseconds after which a terminating pod on an unreachable Node is assumed to be gone. */
const ASSUMED_GONE_AFTER = 1000;

export function treatmentOf(
  pod: KubeObject,
  { daemonSets, namespaces }: Pods,
  { rules }: DrainAsked,
  unreachable: boolean,
  now: number,
): Treatment {
  const label = stringAt(pod, 'metadata', 'labels', DRAIN_LABEL);
  if (label === 'skip' || stringAt(pod, 'metadata', 'annotations', MIRROR) !== undefined) return 'Stays';
  const deletedAt = Date.parse(pod.metadata?.deletionTimestamp ?? '');
  if (unreachable && now - deletedAt > ASSUMED_GONE_AFTER) return 'Stays';
  if (label === 'wait-completed') return awaited(pod, 0);
  const daemonSet = daemonSetOf(pod);
  // A pod whose DaemonSet was deleted would not be created again, and nothing else would end it.
  if (daemonSet !== undefined && daemonSets.has(daemonSet) && !hasFinished(pod)) return 'Stays';
  const labels = pod.metadata?.labels ?? {};
  const ofNamespace = namespaces?.get(pod.metadata?.namespace ?? '') ?? {};
  const rule = rules.find(
    ({ podSelector, namespaceSelector }) => selects(podSelector, labels) && selects(namespaceSelector, ofNamespace),
  );
  if (rule === undefined) return { behaviour: 'Drain', order: 0 };
  if (rule.behaviour === 'Skip') return 'Stays';
  return rule.behaviour === 'WaitCompleted' ? awaited(pod, rule.order) : { behaviour: 'Drain', order: rule.order };
}

/** `namespace/name` of the PersistentVolumeClaims that a pod uses. */
export function claimsOf(pod: KubeObject): readonly string[] {
  const { namespace = '', name = '' } = pod.metadata ?? {};
  const volumes = at(pod, 'spec', 'volumes');
  return (Array.isArray(volumes) ? (volumes as readonly Json[]) : []).flatMap((volume) => {
    const claim = stringAt(volume, 'persistentVolumeClaim', 'claimName');
    if (claim !== undefined) return [`${namespace}/${claim}`];
    const isEphemeral = at(volume, 'ephemeral') !== undefined;
    return isEphemeral ? [`${namespace}/${name}-${stringAt(volume, 'name') ?? ''}`] : [];
  });
}

export function keyOf({ metadata }: KubeObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

function awaited(pod: KubeObject, order: number): Treatment {
  return hasFinished(pod) ? 'Stays' : { behaviour: 'WaitCompleted', order };
}

function hasFinished(pod: KubeObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

function daemonSetOf(pod: KubeObject): string | undefined {
  const owners = at(pod, 'metadata', 'ownerReferences');
  const owner = (Array.isArray(owners) ? (owners as readonly Json[]) : [])
    .filter(isJsonObject)
    .find((one) => one['controller'] === true && one['kind'] === 'DaemonSet');
  return owner === undefined ? undefined : `${pod.metadata?.namespace ?? ''}/${stringAt(owner, 'name') ?? ''}`;
}
