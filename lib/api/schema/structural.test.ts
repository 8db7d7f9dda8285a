import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { closedObject } from '../../../test/support/closed-schema.ts';
import { at, isJsonObject } from '../json.ts';
import { COMPOSITES, NODE_KINDS } from '../kinds/definitions.ts';
import { compileIssue, isTransition, validateRules, validationsOf } from './cel.ts';
import { compositeResourceDefinition, customResourceDefinition } from './definition.ts';
import { immutable, keyedBy, withRule } from './rules.ts';
import { type OpenApiSchema, structuralSchema } from './structural.ts';

/** Named after the kind Cluster, which has a namespace, as ClusterClass of Cluster API. */
const OF_A_CLUSTER: ReadonlySet<string> = new Set(['Cluster', 'ClusterFacts']);

const KINDS = [...COMPOSITES, ...NODE_KINDS].map((definition) => {
  const object = COMPOSITES.includes(definition)
    ? compositeResourceDefinition(definition)
    : customResourceDefinition(definition);
  const [version] = at(object, 'spec', 'versions') as readonly unknown[];
  return {
    kind: definition.kind,
    definition,
    object,
    schema: at(version, 'schema', 'openAPIV3Schema') as OpenApiSchema,
  };
});

interface Place {
  readonly path: string;
  readonly schema: OpenApiSchema;
  /** How many values of it one object may have; infinite below a list or map without a limit. */
  readonly times: number;
  readonly belowList: boolean;
  readonly named: boolean;
}

function* places(schema: OpenApiSchema, path = '', times = 1, belowList = false, named = true): Generator<Place> {
  yield { path, schema, times, belowList, named };
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    yield* places(child, `${path}.${name}`, times, belowList);
  if (schema.items !== undefined)
    yield* places(schema.items, `${path}[]`, times * bound(schema['maxItems']), true, false);
  if (isJsonObject(schema['additionalProperties']))
    yield* places(
      schema['additionalProperties'],
      `${path}{}`,
      times * bound(schema['maxProperties']),
      belowList,
      false,
    );
}

const bound = (limit: unknown): number => (typeof limit === 'number' ? limit : Infinity);

/** Roughly the cost that the API server counts for reading a value once: an element or ten characters cost one. */
function weight(schema: OpenApiSchema): number {
  if (schema.type === 'string') {
    const listed = schema['enum'];
    return Array.isArray(listed) ? 10 : bound(schema['maxLength']) / 10;
  }
  if (schema.type === 'array') return bound(schema['maxItems']) * weight(schema.items ?? {});
  if (isJsonObject(schema['additionalProperties']))
    return bound(schema['maxProperties']) * weight(schema['additionalProperties']);
  if (schema.properties === undefined) return schema.type === 'object' ? Infinity : 1;
  return Object.values(schema.properties).reduce((sum, child) => sum + weight(child), 1);
}

/** What a rule reads with `self.spec.role`: that field, or the path up to the first function call. */
function namedIn(schema: OpenApiSchema, field: string): OpenApiSchema {
  const [first = '', ...below] = field.split('.').slice(1);
  // Crossplane limits the length of the name of every XR.
  if (first === 'metadata') return { type: 'string', maxLength: 63 };
  const child = schema.properties?.[first];
  return child === undefined ? schema : namedIn(child, ['self', ...below].join('.'));
}

const KEYWORDS = new Set([
  'type',
  'description',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'default',
  'enum',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'x-kubernetes-validations',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
]);

describe.for(KINDS)('$kind', ({ schema, definition, object }) => {
  const all = [...places(schema)];
  const wrong = (fault: (place: Place) => boolean): string[] => all.filter(fault).map(({ path }) => path);

  test('has a description on every field, because users read it with kubectl explain', () => {
    expect(
      wrong(({ schema, named, path }) => named && path !== '' && !((schema.description?.length ?? 0) > 3)),
    ).toEqual([]);
  });

  test('is structural: types everywhere, no reference, no union, no map beside named fields', () => {
    expect(wrong(({ schema }) => schema.type === undefined && schema['x-kubernetes-int-or-string'] !== true)).toEqual(
      [],
    );
    expect(
      all.flatMap(({ path, schema }) =>
        Object.keys(schema)
          .filter((key) => !KEYWORDS.has(key))
          .map((key) => `${path}: ${key}`),
      ),
    ).toEqual([]);
    expect(
      wrong(({ schema }) => schema.properties !== undefined && schema['additionalProperties'] !== undefined),
    ).toEqual([]);
    expect(wrong(({ schema }) => schema.type === 'array' && schema.items === undefined)).toEqual([]);
  });

  test('requires no field that has a default, and lists only fields that exist', () => {
    const faults = all.flatMap(({ path, schema }) =>
      ((schema['required'] ?? []) as readonly string[])
        .filter((name) => schema.properties?.[name] === undefined || schema.properties[name]['default'] !== undefined)
        .map((name) => `${path}.${name}`),
    );
    expect(faults).toEqual([]);
  });

  test('has defaults that its own schema and rules accept', () => {
    const faults = all
      .filter(({ schema }) => schema['default'] !== undefined)
      .flatMap(({ path, schema }) => {
        const ajv = new Ajv.default({ strict: false, allErrors: true, useDefaults: true, validateSchema: false });
        addFormats.default(ajv);
        const judge = ajv.compile(closedObject({ type: 'object', properties: { value: schema as never } }));
        const fits = judge({
          apiVersion: 'v1',
          kind: 'X',
          metadata: { name: 'x' },
          value: structuredClone(schema['default']),
        });
        const broken = validateRules(schema, schema['default']); // without defaults filled in, like the API server
        return fits && broken.length === 0 ? [] : [`${path}: ${JSON.stringify([judge.errors, broken])}`];
      });
    expect(faults).toEqual([]);
  });

  test('has rules that compile, and compares with the old object only where the API server can match the two', () => {
    const faults = all.flatMap(({ path, schema, belowList }) =>
      validationsOf(schema).flatMap(({ rule, message }) => [
        ...(compileIssue(rule) === undefined ? [] : [`${path}: ${compileIssue(rule)}`]),
        ...(isTransition(rule) && belowList ? [`${path}: oldSelf below a list`] : []),
        ...(message === undefined || message.includes('\n') ? [`${path}: message`] : []),
      ]),
    );
    expect(faults).toEqual([]);
  });

  test('has rules within a tenth of the cost budget of the API server, because all sizes are bounded', () => {
    const costs = all.flatMap(({ path, schema, times }) =>
      validationsOf(schema).map(({ rule }) => {
        // has() does not read the value.
        const tests = rule.match(/\bhas\(self[.\w]*\)/g) ?? [];
        const rest = rule.replaceAll(/\bhas\(self[.\w]*\)/g, '');
        const fields = rest.match(/\bself\b[.\w]*/g) ?? (tests.length > 0 ? [] : ['self']);
        const reads = fields.map((field) => weight(namedIn(schema, field)));
        return { path, cost: times * reads.reduce((sum, cost) => sum + cost, tests.length) };
      }),
    );
    expect(costs.filter(({ cost }) => !(cost < 1_000_000)).map(({ path }) => path)).toEqual([]);
    expect(costs.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThan(10_000_000);
  });

  test('has printer columns and a scale subresource whose paths exist', () => {
    const isField = (path: string): boolean => {
      if (path.startsWith('.metadata.') || path.startsWith('.status.conditions[?(')) return true;
      const keys = path.split('.').slice(1);
      return keys.reduce<OpenApiSchema | undefined>((here, key) => here?.properties?.[key], schema) !== undefined;
    };
    const {
      specReplicasPath = '.metadata.name',
      statusReplicasPath = '.metadata.name',
      labelSelectorPath = '.metadata.name',
    } = definition.scale ?? {};
    const paths = [
      ...definition.columns.map(({ jsonPath }) => jsonPath),
      specReplicasPath,
      statusReplicasPath,
      labelSelectorPath,
    ];
    expect(paths.filter((path) => !isField(path))).toEqual([]);
  });

  test('is unambiguous for kubectl: a name of its own, short names; namespaced, unless its name says otherwise', () => {
    expect(at(object, 'metadata', 'name')).toBe(`${definition.plural}.${definition.group}`);
    const { kind } = definition;
    const isOfNoNamespace = kind.startsWith('Cluster') && !OF_A_CLUSTER.has(kind);
    expect(at(object, 'spec', 'scope')).toBe(isOfNoNamespace ? 'Cluster' : 'Namespaced');
    const taken = KINDS.flatMap(({ definition }) => [...definition.shortNames]);
    expect(new Set(taken).size).toBe(taken.length);
  });
});

describe('from zod to structural', () => {
  const of = (schema: z.ZodType) =>
    structuralSchema(z.strictObject({ field: schema.describe('A field.') })).properties?.['field'];

  test('an optional field is not required, and a field with a default is not required', () => {
    const schema = structuralSchema(
      z.strictObject({ a: z.string(), b: z.string().optional(), c: z.string().default('x') }),
    );
    expect(schema['required']).toEqual(['a']);
    expect(schema.properties?.['c']).toEqual({ type: 'string', default: 'x' });
  });

  test('a status requires nothing and has no defaults, because functions write it', () => {
    const schema = structuralSchema(z.looseObject({ a: z.int(), b: z.string().default('x') }), { status: true });
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { type: 'integer', format: 'int64' }, b: { type: 'string' } },
    });
  });

  test('the items of a keyed list require their keys, because the API server does', () => {
    const list = keyedBy(z.array(z.looseObject({ type: z.string(), status: z.string() })), 'type').optional();
    expect(structuralSchema(z.looseObject({ list }), { status: true }).properties?.['list']).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: { required: ['type'] },
    });
  });

  test('a default that rules are evaluated on is complete', () => {
    const inner = z.strictObject({
      a: z.int().default(1),
      deep: z.strictObject({ b: z.int().default(2) }).prefault({}),
      free: z.int().optional(),
    });
    expect(of(inner.prefault({}))?.['default']).toEqual({});
    const ruled = withRule(inner, { cel: 'self.a > 0', holds: ({ a }) => a > 0, message: 'must be' });
    expect(of(ruled.prefault({}))?.['default']).toEqual({ a: 1, deep: { b: 2 } });
    expect(of(immutable(inner, 'it is').prefault({ a: 5 }))?.['default']).toEqual({ a: 5, deep: { b: 2 } });
  });

  test.for([
    { name: 'a union', schema: z.union([z.string(), z.int()]) },
    { name: 'a nullable', schema: z.string().nullable() },
    { name: 'any value', schema: z.unknown() },
    {
      name: 'a schema that contains itself',
      schema: z.lazy((): z.ZodType => z.strictObject({ a: z.lazy((): z.ZodType => z.string().or(z.int())) })),
    },
  ])('$name has no structural form and is refused', ({ schema }) => {
    expect(() => of(schema)).toThrow(/no structural form|refers to another/);
  });
});
