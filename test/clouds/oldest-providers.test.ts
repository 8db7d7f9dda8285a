/** What is composed on a cloud is valid for the oldest providers that its Configuration accepts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { at, isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A folder for each cloud with the CRDs of one version, whose name is in the file VERSION. */
const OLDEST = process.env['SLIPWAY_OLDEST_CRDS'] ?? join(ROOT, '../shared/crds-oldest');

interface Dependency {
  readonly package: string;
  readonly version: string;
}

interface Definition {
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: JsonObject } }[];
  };
}

/** The lower bounds of its providers. */
function oldestOf(cloud: string): readonly string[] {
  const file = join(ROOT, `package/configuration-${cloud}/crossplane.yaml`);
  const { spec } = parse(readFileSync(file, 'utf8')) as { spec: { dependsOn: readonly Dependency[] } };
  const own = spec.dependsOn.filter(({ package: name }) => new RegExp(`/provider-(family-)?${cloud}\\b`).test(name));
  return [...new Set(own.map(({ version }) => /^>=(\S+)/.exec(version)?.[1] ?? version))];
}

function composedOn(cloud: string): readonly KubeObject[] {
  return ['cluster', 'machine']
    .map((part) => readFileSync(join(import.meta.dirname, `golden/${cloud}-${part}.yaml`), 'utf8'))
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject));
}

/** The schema of a kind, by the name of its file, which ends with its plural. */
function schemaOf(cloud: string, { apiVersion, kind }: KubeObject): JsonObject | undefined {
  const [group = '', version = ''] = apiVersion.split('/');
  const [file] = readdirSync(join(OLDEST, cloud))
    .filter((name) => name.startsWith(`${group}_${kind.toLowerCase().replace(/y$/, '')}`))
    .toSorted((a, b) => a.length - b.length);
  if (file === undefined) return undefined;
  const { spec } = parse(readFileSync(join(OLDEST, cloud, file), 'utf8')) as Definition;
  return spec.versions.find(({ name }) => name === version)?.schema.openAPIV3Schema;
}

/** Paths of fields that a schema does not know. */
function unknown(value: Json | undefined, schema: Json | undefined, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: Json) => unknown(one, at(schema, 'items'), path));
  const known = at(schema, 'properties');
  if (!isJsonObject(value) || (known === undefined && isJsonObject(schema))) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const own = at(known, key);
    return own === undefined ? [`${path}.${key}`] : unknown(child, own, `${path}.${key}`);
  });
}

describe.skipIf(!existsSync(OLDEST)).for(['azure', 'gcp'])('%s', (cloud) => {
  test('the CRDs are of the oldest version that its Configuration accepts', () => {
    expect(oldestOf(cloud)).toEqual([readFileSync(join(OLDEST, cloud, 'VERSION'), 'utf8').trim()]);
  });

  test('they have every field', () => {
    const objects = composedOn(cloud);
    expect(objects.length).toBeGreaterThan(20);
    const kinds = new Map(objects.map((object) => [object.kind, object]));
    const schemas = new Map([...kinds].map(([kind, object]) => [kind, schemaOf(cloud, object)]));
    const refused = objects.flatMap(({ kind, spec }) =>
      unknown(spec, at(schemas.get(kind), 'properties', 'spec'), kind),
    );
    expect(refused).toEqual([]);
  });
});
