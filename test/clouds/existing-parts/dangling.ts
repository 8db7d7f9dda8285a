/** References and ids in managed resources that lead to nothing. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { at, isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { textsIn } from './case.ts';

/**
 * @param objects  of the cluster @param around  what somebody else has, and what refers to that
 * @param named  ids that a claim or a Composition names
 */
export function dangling(
  objects: readonly KubeObject[],
  around: readonly KubeObject[],
  named: ReadonlySet<string>,
): readonly string[] {
  const known = new Set([...objects, ...around].flatMap(idsOf));
  return objects.flatMap((object) => {
    const { forProvider, initProvider } = object.spec ?? {};
    const here = `${object.kind} ${object.metadata?.name ?? ''}`;
    return [forProvider, initProvider].flatMap((fields) => [
      ...lostReferences(fields, object, objects).map((lost) => `${here}: ${lost}`),
      ...textsIn(fields)
        .filter((text) => isId(text) && !isKnown(text, known) && !named.has(text))
        .map((text) => `${here}: nothing has the id ${text}`),
    ]);
  });
}

/** By name or by labels, to another resource of the cluster: what exists is named by its id. */
function lostReferences(value: Json | undefined, by: KubeObject, objects: readonly KubeObject[]): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((one) => lostReferences(one, by, objects));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([field, child]) => {
    if (field.endsWith('SecretRef') || child === undefined) return [];
    const [, argument = '', ending] = /^(.+?)(Ref|Refs|Selector)$/.exec(field) ?? [];
    if (ending === undefined) return lostReferences(child, by, objects);
    const targets = objects.filter(({ kind }) => kindsOf(argument, by).has(kind));
    const refs = (ending === 'Refs' ? child : [child]) as readonly JsonObject[];
    return refs
      .filter((ref) => !targets.some((target) => leadsTo(ref, target)))
      .map((ref) => `${field} ${JSON.stringify(ref)} leads to nothing`);
  });
}

function leadsTo(ref: JsonObject, { metadata }: KubeObject): boolean {
  const labels = at(ref, 'matchLabels');
  if (!isJsonObject(labels)) return ref['name'] === metadata?.name;
  return Object.entries(labels).every(([key, value]) => metadata?.labels?.[key] === value);
}

/** What the argument of a kind may refer to, as the simulated cloud knows it. */
function kindsOf(argument: string, { apiVersion, kind }: KubeObject): ReadonlySet<string> {
  const cloud = SIMULATED_CLOUDS.find(({ kinds }) =>
    kinds.some((one) => one.kind === kind && one.apiVersion === apiVersion),
  );
  const { references = {} } = cloud?.kinds.find((one) => one.kind === kind && one.apiVersion === apiVersion) ?? {};
  return new Set([argument, `${argument}s`].flatMap((name) => references[name] ?? []));
}

/** Everything that the cloud reports as an id of an object, or that is its name there. */
function idsOf({ metadata, status }: KubeObject): readonly string[] {
  const reported = ['id', 'arn', 'selfLink'].map((field) => at(status, 'atProvider', field));
  const name = metadata?.annotations?.[CROSSPLANE.externalName];
  return [...reported, name].filter((text): text is string => typeof text === 'string' && text !== '');
}

/** An id that a cloud gives: images, roles and policies of the cloud itself are not composed. */
function isId(text: string): boolean {
  if (/\/roleDefinitions\/|\/images\/|:policy\/|^arn:aws:iam::aws:/.test(text)) return false;
  return /^(vpc|subnet|sg|igw|nat|rtb|eipalloc)-|^arn:|^\/subscriptions\/|^projects\/.+\/.+\//.test(text);
}

/** Of the object itself, or of something in it. */
function isKnown(text: string, known: ReadonlySet<string>): boolean {
  const parts = text.split('/');
  return parts.some((_, n) => known.has(parts.slice(0, n + 1).join('/')));
}
