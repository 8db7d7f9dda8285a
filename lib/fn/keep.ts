/** Keeping what exists: observed objects turned back into desired ones. */
import { type JsonObject, type KubeObject, type ObjectMeta, isJsonObject } from '#lib/api/json.ts';

/**
 * An observed object as it may be desired again without changing it: identity, labels, spec and data, but
 * nothing the API server, Crossplane or a provider wrote for itself.
 */
export function asDesired(observed: KubeObject): KubeObject {
  const { status: _status, metadata, spec, ...rest } = observed;
  return { ...rest, metadata: ownMetadata(metadata), ...(spec === undefined ? {} : { spec: ownSpec(spec) }) };
}

function ownMetadata(metadata: ObjectMeta | undefined): ObjectMeta {
  const { name, namespace, labels, annotations } = metadata ?? {};
  const ownLabels = withoutPrefixes(labels);
  const ownAnnotations = withoutPrefixes(annotations);
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(ownLabels === undefined ? {} : { labels: ownLabels }),
    ...(ownAnnotations === undefined ? {} : { annotations: ownAnnotations }),
  };
}

// Crossplane's and the providers' own marks and kubectl's; cluster.x-k8s.io is not among them.
const FOREIGN = /^([a-z0-9-]+\.)*(crossplane\.io|upbound\.io|kubernetes\.io|k8s\.io)\//;

function withoutPrefixes(marks: Readonly<Record<string, string>> | undefined): Record<string, string> | undefined {
  const kept = Object.entries(marks ?? {}).filter(([key]) => !FOREIGN.test(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** An XR's spec without Crossplane's machinery, but with the selector its parent gave it. */
function ownSpec(spec: JsonObject): JsonObject {
  const { crossplane, ...own } = spec;
  if (!isJsonObject(crossplane) || crossplane['compositionSelector'] === undefined) return own;
  return { ...own, crossplane: { compositionSelector: crossplane['compositionSelector'] } };
}
