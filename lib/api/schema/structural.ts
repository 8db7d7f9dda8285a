/** From a zod schema to the structural OpenAPI schema a CustomResourceDefinition carries. */
import { z } from 'zod';
import { type Json, type JsonObject, isJsonObject } from '../json.ts';

export interface OpenApiSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly [keyword: string]: unknown;
}

/**
 * The schema as the API server takes it: no $ref, no additionalProperties beside properties, no union outside
 * int-or-string, descriptions kept, defaults kept where they are the reader's (io: input).
 * @param status true for a status: it is written by functions, so it carries no defaults and requires nothing
 */
export function structuralSchema(schema: z.ZodType, options: { readonly status?: boolean } = {}): OpenApiSchema {
  const json = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', unrepresentable: 'throw' });
  return structural(json, options.status === true, '');
}

function structural(node: unknown, status: boolean, path: string): OpenApiSchema {
  if (!isJsonObject(node)) throw new Error(`schema at ${path || 'root'} is not an object`);
  if (node['$ref'] !== undefined) throw new Error(`schema at ${path} refers to another one; structural schemas cannot`);
  if (node['nullable'] === true) throw new Error(`schema at ${path} has no structural form: null is not a value here`);
  if (node['x-kubernetes-int-or-string'] === true)
    return pick(node, status, ['x-kubernetes-int-or-string', 'minimum', 'pattern']);
  if (node['x-kubernetes-preserve-unknown-fields'] === true)
    return { ...pick(node, status, ['x-kubernetes-preserve-unknown-fields']), type: 'object' };
  switch (node['type']) {
    case 'object':
      return objectSchema(node, status, path);
    case 'array':
      return {
        ...pick(node, status, ['minItems', 'maxItems', 'x-kubernetes-list-type', KEYS]),
        type: 'array',
        items: keyed(structural(node['items'], status, `${path}[]`), node[KEYS]),
      };
    case 'string':
      return { ...pick(node, status, ['minLength', 'maxLength', 'pattern', 'enum', 'format']), type: 'string' };
    case 'integer':
      return {
        ...pick(node, status, ['minimum', 'maximum', 'enum']),
        type: 'integer',
        ...(isSmall(node['maximum']) ? { format: 'int32' } : { format: 'int64' }),
      };
    case 'number':
      return { ...pick(node, status, ['minimum', 'maximum', 'enum']), type: 'number' };
    case 'boolean':
      return { ...pick(node, status, []), type: 'boolean' };
    default:
      throw new Error(`schema at ${path} has no structural form: ${JSON.stringify(node).slice(0, 120)}`);
  }
}

const KEYS = 'x-kubernetes-list-map-keys';

/** The API server requires the keys of a keyed list, also in a status. */
function keyed(items: OpenApiSchema, keys: unknown): OpenApiSchema {
  if (!Array.isArray(keys)) return items;
  const required = new Set([...((items['required'] ?? []) as readonly string[]), ...(keys as readonly string[])]);
  return { ...items, required: [...required] };
}

function objectSchema(node: Readonly<Record<string, unknown>>, status: boolean, path: string): OpenApiSchema {
  const head: OpenApiSchema = { ...pick(node, status, ['minProperties', 'maxProperties']), type: 'object' };
  const properties = node['properties'];
  if (!isJsonObject(properties)) {
    const values = node['additionalProperties'];
    return isJsonObject(values) && Object.keys(values).length > 0
      ? { ...head, additionalProperties: structural(values, status, `${path}{}`) }
      : { ...head, 'x-kubernetes-preserve-unknown-fields': true };
  }
  const required = status ? [] : ((node['required'] ?? []) as readonly string[]);
  const children = Object.fromEntries(
    Object.entries(properties).map(([name, child]) => [
      name,
      structural(child, status, path === '' ? name : `${path}.${name}`),
    ]),
  );
  return {
    ...head,
    ...(hasRules(node) && isJsonObject(head['default']) ? { default: filledIn(head['default'], children) } : {}),
    properties: children,
    ...(required.length === 0 ? {} : { required: [...required] }),
  };
}

function hasRules(node: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(node['x-kubernetes-validations']);
}

/** The API server runs the rules of a default over it as it stands, before it fills in the defaults inside. */
function filledIn(value: JsonObject, children: Readonly<Record<string, OpenApiSchema>>): JsonObject {
  const defaults = Object.entries(children).flatMap(([name, child]) => {
    const own = value[name] ?? (child['default'] as Json | undefined);
    const filled = isJsonObject(own) && child.properties !== undefined ? filledIn(own, child.properties) : own;
    return filled === undefined ? [] : [[name, filled] as const];
  });
  return { ...value, ...Object.fromEntries(defaults) };
}

const ALWAYS = ['description', 'x-kubernetes-validations'] as const;

function pick(
  node: Readonly<Record<string, unknown>>,
  status: boolean,
  keywords: readonly string[],
): Record<string, unknown> {
  const wanted = [...ALWAYS, ...(status || saysNothing(node) ? [] : ['default']), ...keywords];
  return Object.fromEntries(
    wanted
      .filter((keyword) => node[keyword] !== undefined && !isSafeIntegerBound(node[keyword]))
      .map((keyword) => [keyword, node[keyword]]),
  );
}

/** An empty list or map means the same as a missing one; thousands of objects need not store it. */
function saysNothing({ default: value, properties }: Readonly<Record<string, unknown>>): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && properties === undefined && Object.keys(value).length === 0;
}

/** zod sets ±2^53 on every integer, which has no meaning. */
function isSafeIntegerBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}

function isSmall(maximum: unknown): boolean {
  return typeof maximum === 'number' && maximum <= 2_147_483_647;
}
