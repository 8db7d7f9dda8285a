/** The input of one call: the claim, the defaults of the platform, observed objects, and how far the cluster is. */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { CONDITION, HELM_API_VERSION, KUBERNETES_API_VERSION, LABEL } from '#lib/api/words.ts';
import { acceptedCluster } from '#lib/fn/cluster-facts.ts';
import { observedObjects, readClaim } from '#lib/fn/composite.ts';
import { readInput } from '#lib/fn/input.ts';
import type { Request } from '#lib/fn/request.ts';
import { AddOnsInput } from './input.ts';

/** Composition resource name of the Secret that the bootstrap step composes. */
const KUBECONFIG = 'kubeconfig';

export interface Part {
  /** Composition resource name. */
  readonly key: string;
  readonly object: KubeObject;
  /** Name of the add-on. */
  readonly addOn: string;
}

export interface Situation {
  readonly cluster: Cluster;
  readonly composite: KubeObject;
  readonly owner: string;
  readonly input: AddOnsInput;
  /** By composition resource name. */
  readonly observed: ReadonlyMap<string, KubeObject>;
  /** Those that are part of an add-on. */
  readonly parts: readonly Part[];
  /** Status of the Cluster: what earlier steps of this call wrote wins over what is observed. */
  readonly status: JsonObject;
  /** Whether the Kubernetes API answers, and its kubeconfig is stored. */
  readonly isReachable: boolean;
  readonly isControlPlaneAvailable: boolean;
  /** Of status.addons, as an earlier call wrote it. */
  readonly previous: { readonly defaults: string | undefined; readonly version: string | undefined };
}

export function readSituation(request: Request): Situation {
  const {
    claim: cluster,
    composite,
    owner,
  } = readClaim({ observed: { composite: acceptedCluster(request) } }, Cluster);
  const observed = observedObjects(request);
  const status = { ...composite.status, ...request.desired.composite?.status };
  return {
    cluster,
    composite,
    owner,
    input: readInput(request, AddOnsInput, 'AddOnsInput'),
    observed,
    parts: partsIn(request),
    status,
    isReachable: isInitialized(status) && hasKubeconfig(observed, status),
    isControlPlaneAvailable: conditionOf(composite, CONDITION.controlPlaneAvailable)?.status === 'True',
    previous: {
      defaults: stringAt(composite.status, 'addons', 'defaults'),
      version: stringAt(composite.status, 'addons', 'version'),
    },
  };
}

/** Of a Cluster's many objects few are, so that the others are not read. */
function partsIn({ observed }: Request): readonly Part[] {
  return [...observed.resources].flatMap(([key, one]): readonly Part[] => {
    const addOn = addOnOf(one.head ?? one.resource);
    return addOn === undefined ? [] : [{ key, object: one.resource, addOn }];
  });
}

/** The bootstrap step records it once it is stored; a plan sees no Secret. */
function hasKubeconfig(observed: ReadonlyMap<string, KubeObject>, status: JsonObject): boolean {
  return observed.has(KUBECONFIG) || stringAt(status, 'kubeconfigSecretRef', 'name') !== undefined;
}

export function isInitialized(status: JsonObject): boolean {
  return at(status, 'controlPlane', 'initialized') === true;
}

/** The oldest version among control-plane nodes; undefined before there is one. */
export function reachedVersion({ status }: Pick<Situation, 'status'>): string | undefined {
  return stringAt(status, 'controlPlane', 'version');
}

/** The add-on that an observed object is part of; undefined for objects of others. */
export function addOnOf({ apiVersion, kind, metadata }: KubeObject): string | undefined {
  const isPart =
    (apiVersion === HELM_API_VERSION && kind === 'Release') ||
    (apiVersion === KUBERNETES_API_VERSION && kind === 'Object');
  return isPart ? stringAt(metadata, 'labels', LABEL.addOn) : undefined;
}

/** What is observed of an add-on, by composition resource name. */
export function partsOf({ parts }: Situation, name: string): readonly Part[] {
  return parts.filter(({ addOn }) => addOn === name);
}

/** The value at a path of the Cluster, with its present status. */
export function fieldOf({ cluster, status }: Situation, path: readonly string[]): unknown {
  const value = at({ ...cluster, status }, ...path);
  return isJsonObject(value) || Array.isArray(value) ? undefined : value;
}
