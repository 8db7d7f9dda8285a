/** Manifests as Objects of provider-kubernetes, one each. */
import { counted } from '#lib/api/counted.ts';
import { parseAllDocuments } from 'yaml';
import { isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { shortHash } from '#lib/api/names.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { KUBERNETES_API_VERSION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { MANAGED, metadataOf, providerConfigRef } from './part.ts';
import { readinessOf } from './readiness.ts';
import type { Situation } from './situation.ts';
import { textOf } from './sources.ts';
import type { ManifestAddOn } from './wanted.ts';

const MOST = 256;

export type Rendered = { readonly objects: ReadonlyMap<string, KubeObject> } | { readonly problem: string };

/** By composition resource name. Throws InvalidClaim for an object in the claim that cannot be one. */
export function objectsOf(reply: Reply, situation: Situation, addOn: ManifestAddOn): Rendered {
  const { objects: inline, configMap } = addOn.manifests;
  if (inline !== undefined) {
    const problem = problemOf(inline);
    if (problem === undefined) return rendered(situation, addOn, inline as readonly JsonObject[]);
    const index = situation.cluster.spec.addons.findIndex(({ name }) => name === addOn.name);
    throw refusalFor(situation.owner, `spec.addons[${index}].manifests.objects[${problem.index}]`, problem.why);
  }
  const found = configMap === undefined ? { problem: 'it has no manifests' } : textOf(reply, situation, configMap);
  if ('problem' in found) return found;
  const documents = documentsOf(found.text);
  const place = `key ${configMap?.key} of ConfigMap "${situation.cluster.metadata.namespace}/${configMap?.name}"`;
  if ('problem' in documents) return { problem: `${place} ${documents.problem}` };
  const problem = problemOf(documents.list);
  if (problem !== undefined) return { problem: `object ${problem.index + 1} of ${place} ${problem.why}` };
  return rendered(situation, addOn, documents.list as readonly JsonObject[]);
}

function documentsOf(text: string): { readonly list: readonly unknown[] } | { readonly problem: string } {
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  if (!Array.isArray(documents)) return { problem: 'has no object' };
  const broken = documents.find(({ errors }) => errors.length > 0)?.errors[0];
  if (broken !== undefined) return { problem: `is not YAML: ${broken.message.split('\n')[0]?.replace(/:$/, '')}` };
  const list = documents.map((document) => plain(document)).filter((one) => one !== null && one !== undefined);
  if (list.length === 0) return { problem: 'has no object' };
  return list.length > MOST
    ? { problem: `has ${counted(list.length, 'object')}; accepted: at most ${MOST}` }
    : { list };
}

/** Undefined for a document whose aliases cannot be resolved: it is then no object. */
function plain(document: { toJS(options: { readonly maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return 'an alias';
  }
}

function problemOf(list: readonly unknown[]): { readonly index: number; readonly why: string } | undefined {
  const seen = new Set<string>();
  for (const [index, one] of list.entries()) {
    if (!isJsonObject(one)) return { index, why: `is not an object; ${ACCEPTED}` };
    const absent = NEEDED.find((path) => (stringAt(one, ...path) ?? '') === '');
    if (absent !== undefined) return { index, why: `has no ${absent.join('.')}; ${ACCEPTED}` };
    const identity = identityOf(one).join(' ');
    if (seen.has(identity)) return { index, why: `is there twice: ${identity.trim()}; accepted: each object once` };
    seen.add(identity);
  }
  return undefined;
}

const NEEDED = [['apiVersion'], ['kind'], ['metadata', 'name']] as const;
const ACCEPTED = 'accepted: one with apiVersion, kind and metadata.name';

/** What of a composition resource name is the same for the same object in any add-on. */
export function markOf(key: string): string {
  return key.replace(/^[^.]*\./, '');
}

/** Without the version of its API: an object that is read by another version is the same one. */
function identityOf(one: JsonObject): readonly string[] {
  const [group, version] = (stringAt(one, 'apiVersion') ?? '').split('/');
  return [
    version === undefined ? '' : (group ?? ''),
    stringAt(one, 'kind') ?? '',
    stringAt(one, 'metadata', 'namespace') ?? '',
    stringAt(one, 'metadata', 'name') ?? '',
  ];
}

function rendered(situation: Situation, addOn: ManifestAddOn, list: readonly JsonObject[]): Rendered {
  const { cluster } = situation;
  const config = providerConfigRef(situation, KUBERNETES_API_VERSION);
  const objects = list.map((manifest): readonly [string, KubeObject] => {
    const kind = (stringAt(manifest, 'kind') ?? '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
      .slice(0, 63);
    const mark = shortHash(identityOf(manifest));
    const readiness = addOn.wait ? readinessOf(manifest) : undefined;
    return [
      `addon-${addOn.name}.${kind}.${mark}`,
      {
        apiVersion: KUBERNETES_API_VERSION,
        kind: 'Object',
        metadata: metadataOf(cluster, addOn, `${cluster.metadata.name}-addon-${addOn.name}-${kind}-${mark}`),
        spec: {
          forProvider: { manifest },
          managementPolicies: MANAGED,
          providerConfigRef: config,
          ...(readiness === undefined ? {} : { readiness }),
        },
      },
    ];
  });
  return { objects: new Map(objects) };
}
