/** Keeping what exists: observed objects turned back into desired ones. */
import { type JsonObject, type KubeObject, type ObjectMeta, at, isJsonObject } from '#lib/api/json.ts';
import { conditionOf, isManagedReady } from '#lib/api/conditions.ts';
import { appliedForUs } from '#lib/api/managed-fields.ts';
import { CROSSPLANE, LABEL } from '#lib/api/words.ts';
import { withoutEmptyLists } from './empties.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/**
 * An observed object in a form that can be desired without changing it: identity, labels, spec and data, without fields
 * that the API server, Crossplane or a provider set.
 */
export function asDesired(observed: KubeObject): KubeObject {
  const { status: _status, metadata, spec, ...rest } = withoutEmptyLists(observed);
  return { ...rest, metadata: ownMetadata(metadata), ...(spec === undefined ? {} : { spec: ownSpec(spec) }) };
}

/**
 * Observed resources that no step has desired so far, desired unchanged: another release of a function created them,
 * and this one does not know them. Must be called last.
 * @param isOurs whether an object, of which only identity and metadata are known, is of a kind of the calling step
 */
export function carryForward(
  reply: Reply,
  { observed }: Request,
  isOurs: (object: KubeObject, key: string) => boolean,
): void {
  for (const [key, one] of observed.resources) {
    // Most are desired already, or are those of a later step: they need not be read.
    if (reply.desires(key) || !isOurs(one.head ?? one.resource, key)) continue;
    reply.compose(key, asDesired(one.resource), isQuiet(one.resource));
  }
}

/** Whether a function of ours composed it: all such resources have the label. */
export function isLabelled({ metadata }: KubeObject): boolean {
  return metadata?.labels?.[LABEL.cluster] !== undefined;
}

/** What has no condition says nothing against it. */
function isQuiet(object: KubeObject): boolean {
  return conditionOf(object, 'Ready') === undefined || isManagedReady(object);
}

function ownMetadata(metadata: ObjectMeta | undefined): ObjectMeta {
  const { name, namespace } = metadata ?? {};
  const labels = ownMarks(metadata, 'labels');
  const annotations = ownMarks(metadata, 'annotations');
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

// Crossplane's and the providers' own marks and kubectl's; cluster.x-k8s.io is not among them.
const FOREIGN = /^([a-z0-9-]+\.)*(crossplane\.io|upbound\.io|kubernetes\.io|k8s\.io)\//;
/** What Crossplane adds to everything it applies for us. */
const ADDED: ReadonlySet<string> = new Set([CROSSPLANE.compositionResourceName, CROSSPLANE.composite]);

/**
 * Foreign annotations that Crossplane applied for us stay: removing an external name would create a second cloud
 * object. Those of a provider stay its own, so that an older observation never overwrites a newer id.
 */
function ownMarks(
  metadata: ObjectMeta | undefined,
  field: 'labels' | 'annotations',
): Record<string, string> | undefined {
  const marks = Object.entries(metadata?.[field] ?? {}).filter(([key]) => !ADDED.has(key));
  // Who applied what is read only if it matters: it is half of an object.
  const applied = marks.some(isForeign) ? appliedMarks(metadata, field) : new Set();
  const kept = marks.filter((mark) => !isForeign(mark) || applied.has(mark[0]));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function isForeign([key]: readonly [string, string]): boolean {
  return FOREIGN.test(key);
}

/** Keys the API server says Crossplane applied for us; none when it does not say. */
function appliedMarks(metadata: ObjectMeta | undefined, field: string): ReadonlySet<string> {
  const keys = appliedForUs(metadata).flatMap((own) => Object.keys(at(own, 'f:metadata', `f:${field}`) ?? {}));
  return new Set(keys.filter((key) => key.startsWith('f:')).map((key) => key.slice(2)));
}

/** An XR's spec without Crossplane's machinery, but with the selector its parent gave it. */
function ownSpec(spec: JsonObject): JsonObject {
  const { crossplane, ...own } = spec;
  if (!isJsonObject(crossplane) || crossplane['compositionSelector'] === undefined) return own;
  return { ...own, crossplane: { compositionSelector: crossplane['compositionSelector'] } };
}
