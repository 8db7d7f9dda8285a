/** Secrets and ConfigMaps that an add-on refers to. Values in Secrets are never read here: provider-helm does. */
import type { Chart } from '#lib/api/fields/addons.ts';
import { isJsonObject, type KubeObject, own } from '#lib/api/json.ts';
import { whyNotClaimed } from '#lib/fn/claimed-secret.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Situation } from './situation.ts';

type Kind = 'Secret' | 'ConfigMap';

interface Key {
  readonly name: string;
  readonly key: string;
}

/** What is wrong with the first value that cannot be used; undefined: nothing. */
export function problemOfValues(reply: Reply, situation: Situation, { valuesFrom }: Chart): string | undefined {
  // All are required in the first call, so that Crossplane fetches them at once.
  const problems = valuesFrom.flatMap(({ secret, configMap }) => {
    if (secret !== undefined) return [problemOf('Secret', secret, reply, situation)];
    return configMap === undefined ? [] : [problemOf('ConfigMap', configMap, reply, situation)];
  });
  return problems.find((one) => one !== undefined);
}

/** The text under a key of a ConfigMap. */
export function textOf(
  reply: Reply,
  situation: Situation,
  from: Key,
): { readonly text: string } | { readonly problem: string } {
  const problem = problemOf('ConfigMap', from, reply, situation);
  const text = dataOf(required('ConfigMap', from.name, reply, situation), from.key);
  if (problem === undefined && typeof text === 'string') return { text };
  return { problem: problem ?? `key ${from.key} of ConfigMap "${from.name}" is not a text` };
}

function problemOf(kind: Kind, { name, key }: Key, reply: Reply, situation: Situation): string | undefined {
  const { metadata } = situation.cluster;
  const object = required(kind, name, reply, situation);
  const which = `${kind} "${metadata.namespace}/${name}"`;
  if (object === undefined) return `waiting for ${which}, which does not exist`;
  const forbidden = kind === 'Secret' ? whyNotClaimed(object, metadata.name, situation.status) : undefined;
  if (forbidden !== undefined) return `cannot use ${which}: ${forbidden}`;
  return dataOf(object, key) === undefined ? `waiting for key ${key} of ${which}, which does not exist` : undefined;
}

/** Undefined until it was requested, and if there is none. */
function required(kind: Kind, name: string, reply: Reply, { cluster }: Situation): KubeObject | undefined {
  const { namespace } = cluster.metadata;
  return reply.require(`addon-${kind.toLowerCase()}-${name}`, {
    apiVersion: 'v1',
    kind,
    namespace,
    matchName: name,
  })?.[0];
}

function dataOf(object: KubeObject | undefined, key: string): unknown {
  const data = object?.['data'];
  return isJsonObject(data) ? own(data, key) : undefined;
}
