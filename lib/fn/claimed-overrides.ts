/** The overrides of a claim with every patch at hand: one that is in a ConfigMap of its namespace is read there. */
import type { ClaimedOverride, Override } from '#lib/api/fields/infrastructure.ts';
import { isJsonObject, type JsonObject, type KubeObject, own } from '#lib/api/json.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { TTL } from '#lib/api/words.ts';
import { parse } from 'yaml';
import type { Reply } from './reply.ts';

/**
 * Undefined: not all of them were asked for yet, so that the claim cannot be judged in this call. Throws InvalidClaim
 * for a ConfigMap or a key that does not exist, and for a value that is no patch.
 * @param owner  how to call the claim: `Cluster "team-a/prod"`
 */
export function readOverrides(
  reply: Reply,
  namespace: string,
  claimed: readonly ClaimedOverride[],
  owner: string,
): readonly Override[] | undefined {
  const sources = claimed.map(({ patchFrom }) =>
    patchFrom === undefined
      ? undefined
      : reply.require(`overrides-${patchFrom.configMap.name}`, selector(namespace, patchFrom.configMap.name)),
  );
  if (claimed.some(({ patchFrom }, index) => patchFrom !== undefined && sources[index] === undefined)) return undefined;
  // Crossplane does not tell of changes of a ConfigMap.
  if (claimed.some(({ patchFrom }) => patchFrom !== undefined)) reply.ttl(TTL.following);
  return claimed.map(({ patch, patchFrom, ...target }, index) => {
    if (patchFrom === undefined) return { ...target, patch: patch ?? {} };
    const field = `spec.infrastructure.overrides[${index}].patchFrom.configMap`;
    return { ...target, patch: patchIn(sources[index]?.[0], patchFrom.configMap, { field, owner, namespace }) };
  });
}

interface Place {
  readonly field: string;
  readonly owner: string;
  readonly namespace: string;
}

function patchIn(
  object: KubeObject | undefined,
  { name, key }: { readonly name: string; readonly key: string },
  { field, owner, namespace }: Place,
): JsonObject {
  const place = `ConfigMap "${namespace}/${name}"`;
  if (object === undefined) {
    const accepted = `the name of a ConfigMap in namespace ${namespace}; there is none with this name`;
    throw refusal(owner, `${field}.name`, name, accepted);
  }
  const data = object['data'];
  const text = isJsonObject(data) ? own(data, key) : undefined;
  if (typeof text !== 'string') {
    const keys = isJsonObject(data) ? Object.keys(data).toSorted().join(', ') : '';
    throw refusal(owner, `${field}.key`, key, `a key of ${place}: ${keys === '' ? 'it has none' : keys}`);
  }
  const patch = parsed(text);
  if (patch !== undefined) return patch;
  throw refusalFor(owner, field, `key ${key} of ${place} is no patch; accepted: an object as YAML or JSON`);
}

/** Undefined: no object. Only values that JSON has are kept. */
function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(JSON.stringify(parse(text, { maxAliasCount: 0, logLevel: 'error' })));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function selector(namespace: string, name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace, matchName: name } as const;
}
