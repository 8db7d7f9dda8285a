/** The fields of a kind from the schema of its CRD, without everything that an override is not judged by. */
import { at, isJsonObject, type Json, type JsonObject } from '#lib/api/json.ts';
import { type Field, MARK } from '#lib/api/kind-fields.ts';

/**
 * @param schema  of `spec`
 * @param fixed  paths below forProvider that the provider refuses to change, without `[]`
 * @returns JSON text, on one line
 */
export function digestOf(schema: JsonObject, fixed: ReadonlySet<string>): string {
  const forProvider = at(schema, 'properties', 'forProvider');
  const initial = at(schema, 'properties', 'initProvider', 'properties');
  const rules = JSON.stringify(rulesOf(schema));
  const fields = Object.entries(propertiesOf(forProvider)).map(([name, property]) => {
    const isRequired = requiredOf(forProvider).has(name) || rules.includes(`has(self.forProvider.${name})`);
    const isInitial = initial === undefined || (isJsonObject(initial) && name in initial);
    const key = marked(name, { isRequired, isFixed: fixed.has(name), isInitial });
    return [key, fieldOf(property, name, fixed)] as const;
  });
  return JSON.stringify(Object.fromEntries(fields));
}

function fieldOf(schema: Json | undefined, path: string, fixed: ReadonlySet<string>): Field {
  if (!isJsonObject(schema)) return 'any';
  const { enum: values, type, items, additionalProperties } = schema;
  if (Array.isArray(values)) return { '=': values };
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || typeof type !== 'string') return 'any';
  if (type === 'array') return [fieldOf(items, path, fixed)];
  if (type !== 'object') return type;
  if (schema['properties'] === undefined)
    return isJsonObject(additionalProperties) ? { '*': fieldOf(additionalProperties, path, fixed) } : 'any';
  const entries = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const place = `${path}.${name}`;
    const marks = { isRequired: requiredOf(schema).has(name), isFixed: fixed.has(place), isInitial: true };
    return [marked(name, marks), fieldOf(property, place, fixed)] as const;
  });
  return Object.fromEntries(entries);
}

interface Marks {
  readonly isRequired: boolean;
  readonly isFixed: boolean;
  readonly isInitial: boolean;
}

function marked(name: string, { isRequired, isFixed, isInitial }: Marks): string {
  return `${name}${isRequired ? MARK.required : ''}${isFixed ? MARK.fixed : ''}${isInitial ? '' : MARK.notInitial}`;
}

function propertiesOf(schema: Json | undefined): JsonObject {
  const properties = at(schema, 'properties');
  return isJsonObject(properties) ? properties : {};
}

function requiredOf(schema: Json | undefined): ReadonlySet<string> {
  const required = at(schema, 'required');
  return new Set(Array.isArray(required) ? required.map(String) : []);
}

function rulesOf(schema: JsonObject): Json {
  return schema['x-kubernetes-validations'] ?? [];
}
