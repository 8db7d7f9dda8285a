/**
 * What a Cluster tells its parts, as an object of its own: parts follow the spec that was accepted, and Crossplane calls
 * them when one of these facts changes, not for each write to the status of the Cluster.
 */
import { at, isJsonObject, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { ClusterFactsSpec } from '#lib/api/kinds/cluster-facts.ts';
import { API_VERSION, clusterLabels, NODE_API_VERSION } from '#lib/api/words.ts';
import { claimedSpec, withSpec } from './claimed-spec.ts';
import type { Request } from './request.ts';

/** Its composition resource name. */
export const FACTS = 'facts';

export const FACTS_KIND = { apiVersion: NODE_API_VERSION, kind: 'ClusterFacts' } as const;

const { clusterUid: _uid, accepted: _accepted, controlPlane: _controlPlane, ...copied } = ClusterFactsSpec.shape;
const COPIED = Object.keys(copied);

/**
 * @param cluster  with the status that this call gives it
 * @param before  the facts as observed: what a lost status no longer says stays
 * @param isAccepted  whether its spec is; otherwise the spec that was accepted before counts
 * @returns undefined before any spec was accepted
 */
export function clusterFacts(
  { metadata, spec, status }: KubeObject,
  before: KubeObject | undefined,
  isAccepted: boolean,
): KubeObject | undefined {
  const accepted = isAccepted ? claimedSpec(spec) : at(before?.spec, 'accepted');
  if (accepted === undefined) return undefined;
  const { name = '', namespace, uid } = metadata ?? {};
  const known = { ...before?.spec, ...status };
  const facts = COPIED.flatMap((field) => (known[field] === undefined ? [] : [[field, known[field]] as const]));
  return {
    ...FACTS_KIND,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels: clusterLabels(name) },
    spec: {
      ...(uid === undefined ? {} : { clusterUid: uid }),
      accepted,
      ...Object.fromEntries(facts),
      controlPlane: progressOf(known['controlPlane'], at(before?.spec, 'controlPlane')),
    },
  };
}

/** `initialized` is never set back. */
function progressOf(now: unknown, before: unknown): JsonObject {
  const version = at(now, 'version') ?? at(before, 'version');
  const initialized = at(now, 'initialized') === true || at(before, 'initialized') === true;
  return { initialized, ...(version === undefined ? {} : { version }) };
}

/** The spec that the Cluster accepted last; undefined: none yet. */
export function acceptedOf(facts: KubeObject | undefined): JsonObject | undefined {
  const accepted = at(facts?.spec, 'accepted');
  return isJsonObject(accepted) ? accepted : undefined;
}

/** The Cluster as its parts see it: the accepted spec, with the facts as its status. */
export function clusterIn({ metadata, spec }: KubeObject): KubeObject {
  const { clusterUid, accepted, ...status } = spec ?? {};
  const { name, namespace, deletionTimestamp } = metadata ?? {};
  return {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(typeof clusterUid === 'string' ? { uid: clusterUid } : {}),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec: isJsonObject(accepted) ? accepted : {},
    status,
  };
}

/** The Cluster of a call with the spec that the cluster step accepted: an edit that waits reaches no later step. */
export function acceptedCluster({ observed: { composite }, desired }: Request): KubeObject {
  return withSpec(composite, acceptedOf(desired.resources.get(FACTS)?.resource));
}
