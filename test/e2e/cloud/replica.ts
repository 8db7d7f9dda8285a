/**
 * One object in two places: as the API server last showed it (`base`) and as the providers have it (`own`). What
 * differs is what they wrote and the server does not have yet; it is laid over whatever the server shows next, so
 * that neither side loses anything.
 */
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import { mergePatch, patched } from './merge-patch.ts';

export interface Replica {
  readonly base: KubeObject;
  readonly own: KubeObject;
}

/** Two writes, since status is written apart. */
export interface Outstanding {
  readonly body: JsonObject | undefined;
  readonly status: JsonObject | undefined;
}

/** Fields of metadata that providers write; all others are the server's. */
const OURS = ['annotations', 'finalizers', 'labels'] as const;

export function outstanding({ base, own }: Replica): Outstanding {
  const patch = mergePatch(writable(base), writable(own));
  return {
    body: patch === undefined ? undefined : withVersion(patch, base),
    status: mergePatch(base.status ?? {}, own.status ?? {}),
  };
}

/** The server shows a newer object: what was not written yet is laid over it. */
export function rebased({ base, own }: Replica, shown: KubeObject): Replica {
  const body = mergePatch(writable(base), writable(own));
  const status = mergePatch(base.status ?? {}, own.status ?? {});
  const laid = patched(shown, body) as unknown as KubeObject;
  const finalizers = mergedFinalizers(base, own, shown);
  const { finalizers: _old, ...metadata } = laid.metadata ?? {};
  const next = { ...laid, metadata: { ...metadata, ...(finalizers.length === 0 ? {} : { finalizers }) } };
  return { base: shown, own: status === undefined ? next : { ...next, status: patched(shown.status ?? {}, status) } };
}

/** True when the first is a later version of the same object than the second. */
export function isNewer(first: KubeObject, second: KubeObject): boolean {
  return versionOf(first) > versionOf(second);
}

function versionOf(object: KubeObject): bigint {
  return BigInt(object.metadata?.resourceVersion ?? '0');
}

/** With its version, since finalizers are given whole: another writer's must not be lost. */
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
