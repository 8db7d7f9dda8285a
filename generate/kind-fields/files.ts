/**
 * `clouds/<cloud>/kind-fields.ts`: the fields of every kind that a cloud composes. They come from the CRDs of its
 * provider; where these are not beside the repository, what is committed stays.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CLOUD_FIELDS } from '#clouds/fields.ts';
import { kindFieldsOf } from '#clouds/kind-fields.ts';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { at, isJsonObject, type JsonObject, stringAt } from '#lib/api/json.ts';
import { NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { customResourceDefinition } from '#lib/api/schema/definition.ts';
import type { KindFields } from '#lib/api/kind-fields.ts';
import { CRDS, sourceOf } from '../provider-source.ts';
import { digestOf } from './digest.ts';

/** By its path in the repository. */
export function kindFieldFiles(): ReadonlyMap<string, string> {
  return new Map(
    SIMULATED_CLOUDS.map(({ name }) => [`clouds/${name}/kind-fields.ts`, fileOf(name, fieldsOf(name))] as const),
  );
}

/** Of kinds whose CRD is at hand those that it has, of others those that are committed. */
function fieldsOf(cloud: string): KindFields {
  const committed = kindFieldsOf(cloud) ?? {};
  const found = kindsOf(cloud).map(([group, kind]) => [kind, digest(cloud, group, kind) ?? committed[kind]] as const);
  return Object.fromEntries(found.filter(([, text]) => text !== undefined)) as KindFields;
}

function kindsOf(cloud: string): readonly (readonly [group: string, kind: string])[] {
  const composed = SIMULATED_CLOUDS.find(({ name }) => name === cloud)?.kinds ?? [];
  const machine = CLOUD_FIELDS[cloud]?.kind ?? '';
  const all = [...composed.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]}/${kind}`), machine];
  return [...new Set(all)].toSorted().map((one) => one.split('/') as [string, string]);
}

function digest(cloud: string, group: string, kind: string): string | undefined {
  const definition = ownDefinition(group, kind) ?? definitionsOf(cloud).get(`${group}/${kind}`);
  const spec = at(definition, 'properties', 'spec');
  return isJsonObject(spec) ? digestOf(spec, fixedOf(`${group}/${kind}`)) : undefined;
}

function ownDefinition(group: string, kind: string): JsonObject | undefined {
  const own = NODE_KINDS.map((one) => customResourceDefinition(one) as unknown as JsonObject);
  return schemaOf(own.find(({ spec }) => at(spec, 'group') === group && at(spec, 'names', 'kind') === kind));
}

const read = new Map<string, ReadonlyMap<string, JsonObject>>();

/** The schemas of a provider by group and kind. */
function definitionsOf(cloud: string): ReadonlyMap<string, JsonObject> {
  const known = read.get(cloud);
  if (known !== undefined) return known;
  const folder = join(CRDS, cloud);
  const wanted = new Set(kindsOf(cloud).map(([group]) => group));
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const found = files
    .filter((file) => wanted.has(file.split('_')[0] ?? ''))
    .map((file) => parse(readFileSync(join(folder, file), 'utf8')) as JsonObject)
    .map((crd) => {
      const kind = `${stringAt(crd, 'spec', 'group') ?? ''}/${stringAt(crd, 'spec', 'names', 'kind') ?? ''}`;
      return [kind, schemaOf(crd)] as const;
    });

  const definitions = new Map(found.filter(([, schema]) => schema !== undefined)) as ReadonlyMap<string, JsonObject>;
  read.set(cloud, definitions);
  return definitions;
}

function schemaOf(crd: JsonObject | undefined): JsonObject | undefined {
  const versions = at(crd, 'spec', 'versions');
  const served = Array.isArray(versions) ? versions.find((version) => at(version, 'storage') === true) : undefined;
  const schema = at(served, 'schema', 'openAPIV3Schema');
  return isJsonObject(schema) ? schema : undefined;
}

/** Paths without `[]`. */
function fixedOf(kind: string): ReadonlySet<string> {
  const fixed = (sourceOf(kind) ?? []).filter(({ forceNew }) => forceNew === true);
  return new Set(fixed.map(({ path }) => path.replaceAll('[]', '')));
}

function fileOf(cloud: string, fields: KindFields): string {
  const lines = Object.entries(fields).map(([kind, text]) => `  ${kind}: ${quoted(text)},`);
  return `/**
 * Generated from the CRDs of the provider by \`npm run generate\`: the fields of every kind that ${cloud} composes. Each
 * is text until a claim overrides its kind.
 */
import type { KindFields } from '#lib/api/kind-fields.ts';

export const KIND_FIELDS: KindFields = {
${lines.join('\n')}
};
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
