/**
 * What provider-node keeps of objects of a workload cluster: the fields that it reads, and no more of them than Kubernetes
 * has. Whoever runs that cluster chooses the rest, as large as they like.
 */
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { LABELS_READ } from '#lib/node/node.ts';

const MOST = {
  labels: 1024,
  taints: 64,
  conditions: 32,
  addresses: 16,
  volumes: 256,
  owners: 16,
  requests: 16,
} as const;
/** Characters. Names have at most 253. */
const LONGEST = { text: 512, message: 1024, annotation: 4096, encoded: 16 * 1024 } as const;

/** Keys of labels and annotations. */
export interface Keys {
  readonly labels?: Iterable<string>;
  readonly annotations?: readonly string[];
}

/** Without images and volumes, and with no labels and annotations but those that are read: each can be thousands of lines. */
export function slimNode(
  { apiVersion, kind, metadata, spec, status }: KubeObject,
  { labels = [], annotations = [] }: Keys = {},
): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: {
      ...texts(metadata, 'name', 'uid', 'resourceVersion', 'deletionTimestamp'),
      labels: valuesOf(metadata, 'labels', [...LABELS_READ, ...labels], LONGEST.text),
      ...(annotations.length === 0
        ? {}
        : { annotations: valuesOf(metadata, 'annotations', annotations, LONGEST.annotation) }),
    },
    spec: {
      ...texts(spec, 'providerID'),
      ...(at(spec, 'unschedulable') === true ? { unschedulable: true } : {}),
      taints: objects(spec, 'taints', MOST.taints).map((taint) => texts(taint, 'key', 'value', 'effect', 'timeAdded')),
    },
    status: {
      nodeInfo: texts(
        at(status, 'nodeInfo'),
        'kubeletVersion',
        'osImage',
        'containerRuntimeVersion',
        'operatingSystem',
      ),
      addresses: objects(status, 'addresses', MOST.addresses).map((one) => texts(one, 'type', 'address')),
      conditions: objects(status, 'conditions', MOST.conditions).map((one) => ({
        ...texts(one, 'type', 'status', 'lastTransitionTime'),
        ...(one['type'] === 'Ready' && one['status'] !== 'True' ? clipped(one, 'message', LONGEST.message) : {}),
      })),
    },
  };
}

/** As far as a drain, a store, or a run of updaters asks for it. */
export function slimPod({ apiVersion, kind, metadata, spec, status }: KubeObject): KubeObject {
  const seconds = at(metadata, 'deletionGracePeriodSeconds');
  const mirror = stringAt(metadata, 'annotations', MIRROR);
  return {
    apiVersion,
    kind,
    metadata: {
      ...identity(metadata),
      labels: labelsOf(metadata),
      ...(typeof seconds === 'number' ? { deletionGracePeriodSeconds: seconds } : {}),
      ...(mirror === undefined ? {} : { annotations: { [MIRROR]: 'true' } }),
      ownerReferences: objects(metadata, 'ownerReferences', MOST.owners).map((one) => ({
        ...texts(one, 'apiVersion', 'kind', 'name', 'uid'),
        controller: one['controller'] === true,
      })),
    },
    spec: {
      ...texts(spec, 'nodeName'),
      volumes: objects(spec, 'volumes', MOST.volumes).map((volume) => ({
        ...texts(volume, 'name'),
        ...(at(volume, 'ephemeral') === undefined ? {} : { ephemeral: {} }),
        ...(at(volume, 'persistentVolumeClaim') === undefined
          ? {}
          : { persistentVolumeClaim: texts(at(volume, 'persistentVolumeClaim'), 'claimName') }),
      })),
    },
    status: {
      ...texts(status, 'phase'),
      conditions: objects(status, 'conditions', MOST.conditions).map((one) => texts(one, 'type', 'status')),
    },
  };
}

export function slimRequest({ apiVersion, kind, metadata, spec, status }: KubeObject): KubeObject {
  const list = (key: string): readonly string[] => {
    const found = at(spec, key);
    const all = Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
    return all.slice(0, MOST.requests).map((one) => one.slice(0, LONGEST.text));
  };
  const conditions = objects(status, 'conditions', MOST.conditions).map((one) => texts(one, 'type', 'status'));
  const isPending = conditions.length === 0;
  return {
    apiVersion,
    kind,
    metadata: identity(metadata),
    spec: {
      ...texts(spec, 'signerName', 'username'),
      ...(isPending ? whole(spec, 'request') : {}),
      groups: list('groups'),
      usages: list('usages'),
    },
    status: {
      ...whole(status, 'certificate'),
      conditions,
    },
  };
}

const MIRROR = 'kubernetes.io/config.mirror';

function identity(metadata: KubeObject['metadata']): JsonObject {
  const fields = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp'];
  return texts(metadata, ...fields);
}

function labelsOf(metadata: KubeObject['metadata']): Readonly<Record<string, string>> {
  const labels = at(metadata, 'labels');
  const all = Object.entries(isJsonObject(labels) ? labels : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const fitting = all.filter(([key, value]) => key.length <= LONGEST.text && value.length <= LONGEST.text);
  return Object.fromEntries(fitting.slice(0, MOST.labels));
}

function valuesOf(
  metadata: KubeObject['metadata'],
  field: 'labels' | 'annotations',
  keys: readonly string[],
  longest: number,
): Readonly<Record<string, string>> {
  const all = at(metadata, field);
  const found = keys.map((key) => clipped(all, key, longest)) as readonly Readonly<Record<string, string>>[];
  return Object.assign({}, ...found) as Readonly<Record<string, string>>;
}

function texts(value: Json | undefined, ...keys: readonly string[]): JsonObject {
  return Object.assign({}, ...keys.map((key) => clipped(value, key, LONGEST.text))) as JsonObject;
}

function clipped(value: Json | undefined, key: string, longest: number): JsonObject {
  const text = at(value, key);
  return typeof text === 'string' ? { [key]: text.slice(0, longest) } : {};
}

/** What means nothing in parts. */
function whole(value: Json | undefined, key: string): JsonObject {
  const text = at(value, key);
  return typeof text === 'string' && text.length <= LONGEST.encoded ? { [key]: text } : {};
}

function objects(value: unknown, key: string, most: number): readonly JsonObject[] {
  const list = at(value, key);
  return (Array.isArray(list) ? (list as readonly Json[]) : []).slice(0, most).filter(isJsonObject);
}
