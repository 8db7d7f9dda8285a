/** A page about a contract: every field of its schema with type, default and meaning. */
import { z } from 'zod';
import { type Json, isJsonObject, type JsonObject } from '#lib/api/json.ts';
import { markdownTable } from '../cli/terminal/markdown.ts';

export interface Contract {
  readonly title: string;
  /** What it is for, in sentences. */
  readonly about: string;
  /** Where the schema is. */
  readonly source: string;
  /** One schema by the heading it stands under; a contract without alternatives has one. */
  readonly schemas: readonly { readonly heading: string; readonly schema: z.ZodType }[];
}

export function contractPage({ title, about, source, schemas }: Contract): string {
  const sections = schemas.map(({ heading, schema }) => `## ${heading}\n\n${fieldTable(schema)}\n`);
  return `# ${title}

<!-- Generated from ${source} by \`npm run generate\`. -->

${about}

${sections.join('\n')}`;
}

interface Row {
  readonly path: string;
  readonly type: string;
  readonly given: string;
  readonly meaning: string;
}

function fieldTable(schema: z.ZodType): string {
  const rows = rowsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject, '');
  return markdownTable(
    ['field', 'type', 'given', 'meaning'],
    rows.map(({ path, type, given, meaning }) => [path, type, given, meaning]),
  );
}

function rowsOf(node: JsonObject, path: string): readonly Row[] {
  const properties = isJsonObject(node['properties']) ? node['properties'] : {};
  const required = new Set(Array.isArray(node['required']) ? (node['required'] as readonly string[]) : []);
  return Object.entries(properties).flatMap(([name, child]) => {
    if (!isJsonObject(child)) return [];
    const here = path === '' ? name : `${path}.${name}`;
    return [
      rowOf(child, here, required.has(name)),
      ...rowsOf(itemOf(child), child['type'] === 'array' ? `${here}[]` : here),
    ];
  });
}

function itemOf(node: JsonObject): JsonObject {
  return isJsonObject(node['items']) ? node['items'] : node;
}

function rowOf(node: JsonObject, path: string, required: boolean): Row {
  const given = node['default'] === undefined ? (required ? 'required' : '') : `default ${code(node['default'])}`;
  return { path: `\`${path}\``, type: typeOf(node), given, meaning: meaningOf(node) };
}

function typeOf(node: JsonObject): string {
  if (node['const'] !== undefined) return code(node['const']);
  if (node['type'] === 'array') return `list of ${typeOf(itemOf(node))}`;
  if (node['type'] === 'string' && node['contentEncoding'] === 'base64') return 'base64';
  return typeof node['type'] === 'string' ? node['type'] : 'any';
}

function meaningOf(node: JsonObject): string {
  const text = typeof node['description'] === 'string' ? node['description'] : '';
  const secret = node['secret'] === true ? ' Holds secrets.' : '';
  return `${text}${secret}`.replaceAll('|', '\\|');
}

function code(value: Json): string {
  return `\`${JSON.stringify(value)}\``;
}
