/**
 * The schema of a CRD as a validator for tests: every object is closed, so that a field that the API server would
 * silently prune is an error. It supports what structural schemas add to JSON schema, and does not change its input.
 */
import { type JsonObject, isJsonObject } from '#lib/api/json.ts';

type Schema = Record<string, unknown>;

const TEXT_MAP = { type: 'object', additionalProperties: { type: 'string' } };

/** Fields of every object that the API server itself knows. */
const OBJECT_FIELDS: Schema = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' },
      namespace: { type: 'string', maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
      labels: {
        type: 'object',
        propertyNames: { pattern: '^([a-z0-9.-]{1,253}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$' },
        additionalProperties: { type: 'string', pattern: '^(|[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$' },
      },
      annotations: TEXT_MAP,
      uid: { type: 'string' },
      resourceVersion: { type: 'string' },
      generation: { type: 'integer' },
      generateName: { type: 'string' },
      creationTimestamp: { type: 'string', format: 'date-time' },
      deletionTimestamp: { type: 'string', format: 'date-time' },
      finalizers: { type: 'array', items: { type: 'string' } },
      ownerReferences: { type: 'array', items: { type: 'object' } },
      managedFields: { type: 'array', items: { type: 'object' } },
    },
  },
};

/** The schema of a whole object, closed at every level unless the schema says otherwise. */
export function closedObject(schema: JsonObject): Schema {
  const closed = closedSchema(schema);
  return {
    ...closed,
    properties: { ...(closed['properties'] as Schema), ...OBJECT_FIELDS },
    required: [...new Set(['apiVersion', 'kind', 'metadata', ...((closed['required'] as string[] | undefined) ?? [])])],
  };
}

/** Any schema, closed at every level unless the schema says otherwise. */
export function closedSchema(schema: unknown): Schema {
  if (!isJsonObject(schema)) return {};
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(schema);
  const closed: Schema = { ...schema };
  if (isJsonObject(schema['properties'])) closed['properties'] = mapped(schema['properties']);
  if (isJsonObject(schema['items'])) closed['items'] = closedSchema(schema['items']);
  if (isJsonObject(schema['additionalProperties']))
    closed['additionalProperties'] = closedSchema(schema['additionalProperties']);
  if (schema['x-kubernetes-embedded-resource'] === true)
    closed['properties'] = { ...(closed['properties'] as Schema | undefined), ...OBJECT_FIELDS };
  if (isOpen(schema)) return closed;
  if (schema['type'] === 'object') closed['additionalProperties'] = false;
  return closed;
}

function isOpen(schema: JsonObject): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema['additionalProperties'] !== undefined;
}

function mapped(properties: JsonObject): Schema {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, closedSchema(schema)]));
}

/** `anyOf` of the two types beside the other keywords, such as pattern. */
function intOrString(schema: JsonObject): Schema {
  const { anyOf: _types, type: _type, ...rest } = schema;
  return { ...rest, anyOf: [{ type: 'integer' }, { type: 'string' }] };
}
