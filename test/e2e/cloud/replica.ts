/**
 * One object in two places: as last read from the API server (`base`) and as the providers have it (`own`). The
 * difference was written by the providers and is not on the server yet; it is applied to every newer object from the
 * server, so that neither side loses a change.
 */
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import { mergePatch, patched } from './merge-patch.ts';

export interface Replica {
  readonly base: KubeObject;
  readonly own: KubeObject;
}

/** Two writes, because status is written separately. */
export interface Outstanding {
  readonly body: JsonObject | undefined;
  readonly status: JsonObject | undefined;
}

/** Fields of metadata that providers write; all others belong to the server. */
const OURS = ['annotations', 'finalizers', 'labels'] as const;

export function outstanding({ base, own }: Replica): Outstanding {
  const patch = mergePatch(writable(base), writable(own));
  return {
    body: patch === undefined ? undefined : withVersion(patch, base),
    status: mergePatch(base.status ?? {}, own.status ?? {}),
  };
}

/** The server has a newer object: the pending changes are applied to it. */
export function rebased({ base, own }: Replica, shown: KubeObject): Replica {
  const body = mergePatch(writable(base), writable(own));
  const status = mergePatch(base.status ?? {}, own.status ?? {});
  const laid = patched(shown, body) as unknown as KubeObject;
  const finalizers = mergedFinalizers(base, own, shown);
  const { finalizers: _old, ...metadata } = laid.metadata ?? {};
  const next = { ...laid, metadata: { ...metadata, ...(finalizers.length === 0 ? {} : { finalizers }) } };
  return { base: shown, own: status === undefined ? next : { ...next, status: patched(shown.status ?? {}, status) } };
}

/** True if the first is a later version of the same object than the second. */
export function isNewer(first: KubeObject, second: KubeObject): boolean {
  return versionOf(first) > versionOf(second);
}

function versionOf(object: KubeObject): bigint {
  return BigInt(object.metadata?.resourceVersion ?? '0');
}

/** With its resource version, because finalizers are written as a whole: those of another writer must not be lost. */
function withVersion(patch: JsonObject, base: KubeObject): JsonObject {
  const metadata = at(patch, 'metadata') as JsonObject | undefined;
  const { resourceVersion } = base.metadata ?? {};
  return metadata?.['finalizers'] === undefined ? patch : { ...patch, metadata: { ...metadata, resourceVersion } };
}

function writable(object: KubeObject): JsonObject {
  const metadata = Object.fromEntries(OURS.map((field) => [field, object.metadata?.[field]]));
  return { metadata: withoutAbsent(metadata), spec: object.spec ?? {} };
}

function withoutAbsent(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function mergedFinalizers(base: KubeObject, own: KubeObject, shown: KubeObject): readonly string[] {
  const of = (object: KubeObject): readonly string[] => object.metadata?.finalizers ?? [];
  const added = of(own).filter((name) => !of(base).includes(name) && !of(shown).includes(name));
  const removed = new Set(of(base).filter((name) => !of(own).includes(name)));
  return [...of(shown).filter((name) => !removed.has(name)), ...added];
}
