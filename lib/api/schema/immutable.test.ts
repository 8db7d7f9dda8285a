/**
 * The API server does not evaluate a rule `self == oldSelf` when its field is added or removed, so an optional field
 * needs a rule at its parent.
 */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { aCluster, aMachine } from '../../../test/support/claims.ts';
import { at, type JsonObject, type KubeObject } from '../json.ts';
import { COMPOSITES, NODE_KINDS } from '../kinds/definitions.ts';
import { isTransition, validateRules, validationsOf } from './cel.ts';
import { compositeResourceDefinition, customResourceDefinition } from './definition.ts';
import { immutable, keepsPresence } from './rules.ts';
import { type OpenApiSchema, structuralSchema } from './structural.ts';

const SCHEMAS = Object.fromEntries(
  [...COMPOSITES, ...NODE_KINDS].map((definition) => {
    const make = COMPOSITES.includes(definition) ? compositeResourceDefinition : customResourceDefinition;
    const [version] = at(make(definition), 'spec', 'versions') as readonly unknown[];
    return [definition.kind, at(version, 'schema', 'openAPIV3Schema') as OpenApiSchema];
  }),
);

/**
 * Fields that may be added later: a claim from before the field says what its cluster has. The function refuses another
 * value, and keeps what exists when the field is taken away (functions/cluster/api-access.test.ts).
 */
const MAY_BE_ADDED = new Set(['spec.controlPlane.scheme']);

/** Fields that can be added or removed later, because neither a rule of the field nor one of its parent notices. */
function* unguarded(schema: OpenApiSchema, path = ''): Generator<string> {
  const required = (schema['required'] ?? []) as readonly string[];
  const guards = new Set(validationsOf(schema).map(({ rule }) => rule));
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const here = path === '' ? name : `${path}.${name}`;
    const always = required.includes(name) || child['default'] !== undefined;
    if (!always && holdsTransition(child) && !guards.has(`has(self.${name}) == has(oldSelf.${name})`)) yield here;
    yield* unguarded(child, here);
  }
}

/** The field, or a field that is added and removed with it, is compared with the old object. */
function holdsTransition(schema: OpenApiSchema): boolean {
  if (validationsOf(schema).some(({ rule }) => isTransition(rule))) return true;
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(schema.properties ?? {}).some(
    ([name, child]) => (required.includes(name) || child['default'] !== undefined) && holdsTransition(child),
  );
}

test.for(Object.entries(SCHEMAS))(
  '%s: every field that keeps its first value cannot be added or removed',
  ([, schema]) => {
    expect([...unguarded(schema)].filter((field) => !MAY_BE_ADDED.has(field))).toEqual([]);
  },
);

interface Kept {
  readonly field: string;
  /** What the API server says about a change. */
  readonly message: string;
  /** Names of the fields in it. */
  readonly below: readonly string[];
}

function* keptFields(schema: OpenApiSchema, path: string): Generator<Kept> {
  const transitions = validationsOf(schema).filter(({ rule }) => isTransition(rule));
  for (const { rule, message } of transitions) {
    const added = /^has\(self\.(\w+)\) == has\(oldSelf\.\w+\)$/.exec(rule)?.[1];
    const kept = added === undefined ? schema : (schema.properties?.[added] ?? {});
    const field = added === undefined ? path : `${path}.${added}`;
    yield { field, message: message ?? '', below: Object.keys(kept.properties ?? {}) };
  }
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    yield* keptFields(child, path === '' ? name : `${path}.${name}`);
}

const KEPT = Object.entries(SCHEMAS).flatMap(([kind, schema]) =>
  [...keptFields(schema, '')].map((kept) => ({ kind, ...kept })),
);

/** Whether a message speaks of a field: securityGroups is said as security group. */
function speaksOf(message: string, name: string): boolean {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/s$/, '');
  return new RegExp(`\\b${words}s?\\b`).test(message);
}

describe('why a field keeps its first value', () => {
  test('is said for each', async () => {
    const lines = KEPT.map(({ kind, field, message }) => `${kind} ${field}: ${message}\n`);
    await expect(lines.toSorted().join('')).toMatchFileSnapshot('golden/kept-fields.txt');
  });

  test.for(KEPT.filter(({ below }) => below.length > 1))(
    'is said of all that $kind $field contains, or of nothing in particular',
    ({ message, below }) => {
      const named = below.filter((name) => speaksOf(message, name));
      expect([[], below]).toContainEqual(named);
    },
  );

  test('a message about one of several fields would be found', () => {
    const below = ['network', 'subnets', 'securityGroups'];
    const named = (message: string) => below.filter((name) => speaksOf(message, name));
    expect(named('cannot be changed: a cluster cannot move to another network')).toEqual(['network']);
    expect(named('cannot be changed: security groups are in use')).toEqual(['securityGroups']);
  });
});

test('a field without such a rule is found, also below an optional one, and not when it has a rule', () => {
  const text = immutable(z.string(), 'it is');
  const open = z.strictObject({
    a: text.optional(),
    b: z.strictObject({ c: text }).optional(),
    d: text,
    e: text.default('x'),
  });
  expect([...unguarded(structuralSchema(open))]).toEqual(['a', 'b']);
  expect([...unguarded(structuralSchema(keepsPresence(open, { a: 'it is', b: 'it is' })))]).toEqual([]);
});

describe('the message of the API server for an edit', () => {
  const judged = (kind: string, before: KubeObject, spec: JsonObject) =>
    validateRules(SCHEMAS[kind] ?? {}, { ...before, spec }, before).map(({ path, message }) => `${path}: ${message}`);
  const endpoint = { host: 'api.example.com', port: 6443 };
  const cluster = (fields: JsonObject) =>
    aCluster({ spec: { controlPlane: { replicas: 3, machine: { class: 'standard-2' }, ...fields } } });
  const machine = (fields: JsonObject) => aMachine({ spec: fields });
  const ENDPOINT_RULE = /^spec\.controlPlane: .*endpoint cannot be added or removed later: certificates and nodes/;
  const PLACE_RULE = /^spec: .*failureDomain cannot be added or removed later: a machine cannot move/;
  const { failureDomain: _place, ...nowhere } = machine({}).spec as JsonObject;

  test.for([
    { name: 'the endpoint is added', kind: 'Cluster', before: cluster({}), after: cluster({ endpoint }) },
    { name: 'the endpoint is taken away', kind: 'Cluster', before: cluster({ endpoint }), after: cluster({}) },
    {
      name: 'the failure domain is added',
      kind: 'Machine',
      before: { ...machine({}), spec: nowhere },
      after: machine({ failureDomain: 'eu-west-1a' }),
    },
    {
      name: 'the failure domain is taken away',
      kind: 'Machine',
      before: machine({ failureDomain: 'eu-west-1a' }),
      after: { ...machine({}), spec: nowhere },
    },
  ])('$name: one line that names the field and why', ({ kind, before, after }) => {
    expect(judged(kind, before, after.spec as JsonObject)).toEqual([
      expect.stringMatching(kind === 'Cluster' ? ENDPOINT_RULE : PLACE_RULE),
    ]);
    expect(judged(kind, before, before.spec as JsonObject), 'a value that stays is not an edit').toEqual([]);
  });
});
