import { describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { compileIssue, validateRules } from './cel.ts';
import type { OpenApiSchema } from './structural.ts';

const rules = (...list: string[]) => ({
  'x-kubernetes-validations': list.map((rule) => ({ rule, message: `must: ${rule}` })),
});
const text: OpenApiSchema = { type: 'string' };
const broken = (schema: OpenApiSchema, value: Json, before?: Json) =>
  validateRules(schema, value, before).map(({ path, message }) => `${path}: ${message}`);

describe('address blocks as Kubernetes reads them', () => {
  test.for([
    { rule: "isCIDR('10.0.0.0/8')", want: true },
    { rule: "isCIDR('10.0.0.1/8')", want: true },
    { rule: "isCIDR('10.0.0.0/08')", want: false },
    { rule: "isCIDR('010.0.0.0/8')", want: false },
    { rule: "isCIDR('::ffff:10.0.0.0/104')", want: false },
    { rule: "isCIDR('fd00::/48')", want: true },
    { rule: "isCIDR('x')", want: false },
    { rule: "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')", want: true },
    { rule: "cidr('10.1.2.3/8') == cidr('10.0.0.0/8')", want: false },
    { rule: "cidr('10.0.0.0/8').containsIP(cidr('10.9.9.9/32').ip())", want: true },
    { rule: "cidr('10.0.0.0/8').containsIP(cidr('11.0.0.0/8').ip())", want: false },
    { rule: "cidr('::/0').containsIP(cidr('10.0.0.0/8').ip())", want: false },
    { rule: "cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16'))", want: true },
    { rule: "cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))", want: false },
    { rule: "cidr('10.0.0.0/8').prefixLength() == 8", want: true },
  ])('$rule is $want', ({ rule, want }) => {
    expect(validateRules({ type: 'string', ...rules(rule) }, 'x')).toHaveLength(want ? 0 : 1);
  });
});

test('rules are evaluated at their place, lists and maps included', () => {
  const item = { ...text, ...rules("self != 'b'") };
  const schema: OpenApiSchema = {
    type: 'object',
    properties: { list: { type: 'array', items: item }, map: { type: 'object', additionalProperties: item } },
    ...rules('has(self.list)'),
  };
  expect(broken(schema, { list: ['a', 'b'], map: { 'x/y': 'b', z: 'a' } })).toEqual([
    'list[1]: "b" must: self != \'b\'',
    'map["x/y"]: "b" must: self != \'b\'',
  ]);
  expect(broken(schema, {})).toEqual([': must: has(self.list)']);
});

test('integers are integers, and an int-or-string is either', () => {
  const schema: OpenApiSchema = {
    type: 'object',
    properties: {
      n: { type: 'integer', ...rules('self % 2 == 1') },
      either: { 'x-kubernetes-int-or-string': true, ...rules("self == 0 || self == '0%'") },
    },
  };
  expect(broken(schema, { n: 3, either: 0 })).toEqual([]);
  expect(broken(schema, { n: 4, either: '0%' })).toEqual(['n: 4 must: self % 2 == 1']);
  expect(broken(schema, { either: '1%' })).toEqual(['either: "1%" must: self == 0 || self == \'0%\'']);
});

test('a field whose name is not valid in CEL has an escaped name, as in provider CRDs', () => {
  const schema: OpenApiSchema = {
    type: 'object',
    properties: { namespace: text, 'a-b': text },
    ...rules('has(self.__namespace__) == has(self.a__dash__b)'),
  };
  expect(broken(schema, { namespace: 'x', 'a-b': 'y' })).toEqual([]);
  expect(broken(schema, { namespace: 'x' })).toHaveLength(1);
});

describe('rules over the old object', () => {
  const schema: OpenApiSchema = {
    type: 'object',
    properties: {
      fixed: {
        type: 'object',
        properties: { a: text, b: { type: 'array', items: text } },
        ...rules('self == oldSelf'),
      },
      list: { type: 'array', items: { ...text, ...rules('self == oldSelf') } },
    },
  };
  const value = { fixed: { a: 'x', b: ['1', '2'] } };

  test.for<{ name: string; value: Json; before?: Json; want: number }>([
    { name: 'are skipped on creation', value, want: 0 },
    { name: 'are skipped for a field that is new', value, before: {}, want: 0 },
    { name: 'are skipped for a field that is removed', value: {}, before: value, want: 0 },
    { name: 'hold for equal objects, key order aside', value, before: { fixed: { b: ['1', '2'], a: 'x' } }, want: 0 },
    { name: 'see a change in a nested field', value, before: { fixed: { a: 'x', b: ['2', '1'] } }, want: 1 },
    { name: 'see what was added', value, before: { fixed: { a: 'x' } }, want: 1 },
    {
      name: 'have no old value for list items, because the API server cannot match them',
      value: { list: ['a'] },
      before: { list: ['b'] },
      want: 0,
    },
  ])('$name', ({ value, before, want }) => {
    expect(broken(schema, value, before)).toHaveLength(want);
  });
});

describe('a rule that cannot be evaluated', () => {
  const schema: OpenApiSchema = {
    type: 'object',
    properties: { a: { ...text, ...rules('isCIDR(self)') } },
    ...rules("cidr(self.a).containsIP(cidr('10.0.0.0/8').ip())"),
  };

  test('is not reported when a nested error is reported', () => {
    expect(broken(schema, { a: 'x' })).toEqual(['a: "x" must: isCIDR(self)']);
  });

  test('fails when no other error is reported, as on the API server', () => {
    expect(broken(schema, {})).toEqual([
      ": must: cidr(self.a).containsIP(cidr('10.0.0.0/8').ip()); the rule cannot be evaluated: No such key: a",
    ]);
  });
});

test.for([
  { rule: 'self.a == 1 || has(self.b)', want: undefined },
  { rule: "self in [0, '0%']", want: expect.stringContaining('same type') as string },
  { rule: 'self ==', want: expect.stringContaining('Unexpected') as string },
  { rule: 'cidrs(self)', want: expect.stringContaining('cidrs') as string },
])('$rule compiles or says why not', ({ rule, want }) => {
  expect(compileIssue(rule)).toEqual(want);
});
