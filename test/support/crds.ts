/**
 * Validates rendered objects with the schemas of the API server that would store them: the CRDs of the providers, from
 * `../shared/crds` beside the repository or the folder in SLIPWAY_CRDS, and our own kinds, from generated files in the
 * repository. Unknown fields are errors; the rules of the CRDs are evaluated.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { validateRules } from '#lib/api/schema/cel.ts';
import type { OpenApiSchema } from '#lib/api/schema/structural.ts';
import { closedObject } from './closed-schema.ts';

const ROOT = join(import.meta.dirname, '../..');
const PROVIDER_CRDS = process.env['SLIPWAY_CRDS'] ?? join(ROOT, '../shared/crds');
const OWN_FOLDERS = ['xrds', 'package/provider-node/crds'];

interface Judge {
  readonly schema: JsonObject;
  readonly validate: ValidateFunction;
}

const judges = new Map<string, Judge | undefined>();
let announced = false;

/** Whether the CRDs of the providers are available; prints once why tests are skipped. Our own kinds need none. */
export function crdsAvailable(): boolean {
  if (existsSync(PROVIDER_CRDS)) return true;
  if (!announced)
    process.stderr.write(
      'Skipped: rendered managed resources are not judged by provider CRDs, since there is no folder ../shared/crds; set SLIPWAY_CRDS to a folder of CRDs.\n',
    );
  announced = true;
  return false;
}

/** Whether the CRD of one kind is available; prints why a test is skipped. */
export function crdAvailable(apiVersion: string, kind: string): boolean {
  if (!crdsAvailable()) return false;
  if (judgeOf(apiVersion, kind) !== undefined) return true;
  process.stderr.write(
    `Skipped: ${kind} is not judged by its CRD, since ../shared/crds has none; set SLIPWAY_CRDS to a folder that has it.\n`,
  );
  return false;
}

/** The errors of an object as the API server would report them, one line each, sorted; empty when it is valid. */
export function validateManaged(object: KubeObject): string[] {
  if (object.apiVersion === 'v1' && object.kind === 'Secret') return secretIssues(object);
  const id = `${object.apiVersion} ${object.kind}`;
  if (!judges.has(id)) judges.set(id, judgeOf(object.apiVersion, object.kind));
  const judge = judges.get(id);
  if (judge === undefined) return [`no CRD of ${id} was found`];
  const defaulted = structuredClone(object);
  const schemaLines = judge.validate(defaulted) ? [] : (judge.validate.errors ?? []).map(describe);
  const ruleLines = validateRules(judge.schema as OpenApiSchema, defaulted).map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  return [...new Set([...schemaLines, ...ruleLines])].sort();
}

function describe(error: NonNullable<ValidateFunction['errors']>[number]): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const extra = stringAt(error.params, 'additionalProperty');
  const allowed = at(error.params, 'allowedValues');
  const detail = extra ?? (allowed === undefined ? undefined : JSON.stringify(allowed));
  return `${path}: ${error.message ?? error.keyword}${detail === undefined ? '' : ` (${detail})`}`;
}

function judgeOf(apiVersion: string, kind: string): Judge | undefined {
  const [group = '', version = ''] = apiVersion.split('/');
  const schema = definitionsOf(group)
    .filter((definition) => stringAt(definition, 'spec', 'names', 'kind') === kind)
    .map((definition) => schemaOf(definition, version))
    .find((schema) => schema !== undefined);
  if (schema === undefined) return undefined;
  const ajv = new Ajv.default({ strict: false, allErrors: true, useDefaults: true, validateSchema: false });
  addFormats.default(ajv);
  return { schema, validate: ajv.compile(closedObject(schema)) };
}

const groups = new Map<string, readonly JsonObject[]>();

/** CRDs and XRDs of a group: provider files are named `<group>_<plural>.yaml`, ours are few. */
function definitionsOf(group: string): readonly JsonObject[] {
  const known = groups.get(group);
  if (known !== undefined) return known;
  const own = OWN_FOLDERS.map((folder) => join(ROOT, folder)).flatMap((folder) => filesIn(folder));
  const providers = filesIn(PROVIDER_CRDS, true).filter((file) => basename(file).startsWith(`${group}_`));
  const definitions = [...own, ...providers]
    .map((file): unknown => parse(readFileSync(file, 'utf8')))
    .filter(isJsonObject)
    .filter((definition) => stringAt(definition, 'spec', 'group') === group);
  groups.set(group, definitions);
  return definitions;
}

function filesIn(folder: string, recursive = false): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => join(folder, file));
}

function schemaOf(definition: JsonObject, version: string): JsonObject | undefined {
  const versions = at(definition, 'spec', 'versions');
  if (!Array.isArray(versions)) return undefined;
  const found: unknown = versions.find((item) => stringAt(item, 'name') === version);
  const schema = at(found, 'schema', 'openAPIV3Schema');
  if (!isJsonObject(schema)) return undefined;
  return definition['kind'] === 'CompositeResourceDefinition' ? withMachinery(schema) : schema;
}

const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Crossplane adds its own fields to the schema of every XR. */
function withMachinery(schema: JsonObject): JsonObject {
  const extend = (name: string, fields: JsonObject): JsonObject => {
    const part = at(schema, 'properties', name);
    const open = isJsonObject(part) ? part : { type: 'object' };
    return { ...open, properties: { ...(open['properties'] as JsonObject | undefined), ...fields } };
  };
  const properties = {
    ...(schema['properties'] as JsonObject | undefined),
    metadata: extend('metadata', { name: { type: 'string' } }),
    spec: extend('spec', { crossplane: OPEN }),
    status: extend('status', { crossplane: OPEN, conditions: { type: 'array', items: OPEN } }),
  };
  return { ...schema, properties };
}

const SECRET_FIELDS = new Set(['apiVersion', 'kind', 'metadata', 'type', 'data', 'stringData', 'immutable']);

/** A Secret, with the few checks of the API server. */
function secretIssues(secret: KubeObject): string[] {
  const unknown = Object.keys(secret).filter((key) => !SECRET_FIELDS.has(key));
  const data = Object.entries(isJsonObject(secret['data']) ? secret['data'] : {});
  const notBase64 = data.filter(([, value]) => typeof value !== 'string' || !isBase64(value)).map(([key]) => key);
  return [
    ...unknown.map((key) => `: must NOT have additional properties (${key})`),
    ...notBase64.map((key) => `data.${key}: must be base64`),
    ...(stringAt(secret, 'metadata', 'name') === undefined ? ['metadata.name: is required'] : []),
  ].sort();
}

function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text;
}
