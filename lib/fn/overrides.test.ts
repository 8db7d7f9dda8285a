import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Override } from '#lib/api/fields/infrastructure.ts';
import type { Json, JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Overridable } from './overridable.ts';
import { applyOverrides, isLaid, mergePatch, overrideMatches } from './overrides.ts';

const owner = 'Cluster "team-a/prod"';
const lb: KubeObject = {
  apiVersion: 'elbv2.aws.m.upbound.io/v1beta1',
  kind: 'LB',
  metadata: { name: 'prod-api', labels: { 'slipway.dev/cluster': 'prod' } },
  spec: { forProvider: { internal: false, tags: { a: '1', b: '2' }, subnetRefs: [{ name: 'x' }, { name: 'y' }] } },
};
const subnet = { ...lb, kind: 'Subnet' };
const resources = new Map([
  ['load-balancer', lb],
  ['subnet-private-a', subnet],
  ['subnet-public-a', subnet],
]);
const LIMITS = {
  allowed: { '*': ['spec.forProvider', 'metadata.annotations["note"]'] },
  statedIn: 'the input',
};
const apply = (...overrides: Override[]) => applyOverrides(resources, overrides, owner, LIMITS);

test('a patch merges objects, replaces lists and removes fields that are null', () => {
  const { resources } = apply({
    kind: 'LB',
    patch: {
      spec: { forProvider: { internal: true, tags: { b: null, c: '3' }, subnetRefs: [{ name: 'z' }] } },
      metadata: { annotations: { note: 'mine' } },
    },
  });
  expect(resources.get('load-balancer')).toEqual({
    ...lb,
    metadata: { ...lb.metadata, annotations: { note: 'mine' } },
    spec: { forProvider: { internal: true, tags: { a: '1', c: '3' }, subnetRefs: [{ name: 'z' }] } },
  });
  expect(resources.get('subnet-private-a'), 'other kinds are not changed').toBe(subnet);
});

test.for([
  { resource: undefined, want: ['subnet-private-a', 'subnet-public-a'] },
  { resource: '*', want: ['subnet-private-a', 'subnet-public-a'] },
  { resource: 'subnet-public-*', want: ['subnet-public-a'] },
  { resource: 'subnet-private-a', want: ['subnet-private-a'] },
  { resource: 'subnet.public.a', want: [] },
  { resource: 'subnet', want: [] },
])('the name "$resource" means $want', ({ resource, want }) => {
  const { resources } = apply({
    kind: 'Subnet',
    ...(resource === undefined ? {} : { resource }),
    patch: { spec: { forProvider: { hit: true } } },
  });
  const hits = [...resources].filter(([, object]) => JSON.stringify(object).includes('hit')).map(([key]) => key);
  expect(hits).toEqual(want);
});

test('a pattern of stars only is matched quickly, so that no claim can keep a function busy', () => {
  expect(overrideMatches({ kind: 'LB', resource: `${'*'.repeat(16)}x`, patch: {} }, 'subnet-private-a', 'LB')).toBe(
    false,
  );
});

test('a pattern with stars matches the same names as the regular expression', () => {
  const text = (unit: readonly string[], maxLength: number) => fc.string({ unit: fc.constantFrom(...unit), maxLength });
  fc.assert(
    fc.property(text(['a', 'b', '-', '*'], 6), text(['a', 'b', '-'], 8), (resource, key) => {
      const meant = new RegExp(`^${resource.replaceAll('*', '.*')}$`).test(key);
      expect(overrideMatches({ kind: 'LB', resource, patch: {} }, key, 'LB')).toBe(meant);
    }),
    { numRuns: 2000 },
  );
});

const named = (value: string) => ({ kind: 'LB', patch: { spec: { forProvider: { name: value } } } });

test('a later override wins, because they are applied in order', () => {
  expect(apply(named('first'), named('second')).resources.get('load-balancer')?.spec?.['forProvider']).toMatchObject({
    name: 'second',
  });
});

test('an override that matches nothing is returned and changes nothing', () => {
  const { resources: after, unmatched } = apply(
    { kind: 'Instance', patch: {} },
    { kind: 'Subnet', resource: 'subnet-c', patch: {} },
  );
  expect(unmatched).toEqual([
    'spec.infrastructure.overrides[0] matches nothing: no Instance is composed',
    'spec.infrastructure.overrides[1] matches nothing: no Subnet "subnet-c" is composed',
  ]);
  expect(after).toEqual(resources);
});

test('an override that matches nothing for a typing error says what was probably meant', () => {
  const { unmatched } = apply(
    { kind: 'Subnte', patch: {} },
    { kind: 'Subnet', resource: 'subnet-privat-a', patch: {} },
  );
  expect(unmatched).toEqual([
    'spec.infrastructure.overrides[0] matches nothing: no Subnte is composed; did you mean "Subnet"?',
    'spec.infrastructure.overrides[1] matches nothing: no Subnet "subnet-privat-a" is composed; did you mean "subnet-private-a"?',
  ]);
});

describe('a typing error in an override that is refused', () => {
  const limits = {
    allowed: {
      '*': ['spec.forProvider.tags'],
      LB: ['spec.forProvider.internal', 'spec.forProvider.accessLogs.enabled'],
    },
    statedIn: 'the input',
    fields: { LB: '{"internal":"boolean"}', Subnet: '{}' },
  };
  const patch = (forProvider: JsonObject, part = 'forProvider') => ({ spec: { [part]: forProvider } });
  test.for([
    {
      override: { kind: 'LBB', patch: patch({ internal: true }) },
      want: 'spec.infrastructure.overrides[0].kind: "LBB" is not accepted; accepted: LB, Subnet',
    },
    {
      override: { kind: 'Subent', patch: patch({ internal: true }) },
      want: 'spec.infrastructure.overrides[0].kind: "Subent" is not accepted; accepted: LB, Subnet; did you mean "Subnet"?',
    },
    {
      override: { kind: 'LB', patch: patch({ intrenal: true }) },
      want: 'patch.spec.forProvider.intrenal: may not be overridden; accepted for LB: spec.forProvider.accessLogs.enabled, spec.forProvider.internal, spec.forProvider.tags (overrides in the input); did you mean "internal"?',
    },
    {
      override: { kind: 'LB', patch: patch({ accesLogs: { enabled: true } }, 'initProvider') },
      want: 'did you mean "accessLogs"?',
    },
    {
      override: { kind: 'LB', patch: patch({ accessLogs: { enabeld: true } }) },
      want: 'did you mean "enabled"?',
    },
  ])('says what was probably meant: $override', ({ override, want }) => {
    expect(() => applyOverrides(resources, [override], owner, limits)).toThrow(want);
  });

  test.for([
    {
      override: { kind: 'Subent', patch: patch({ tags: { a: 'b' } }) },
      want: 'kind: "Subent" is not accepted; accepted: LB, Subnet; did you mean "Subnet"?',
    },
    {
      override: { kind: 'Subnet', resource: 'subnet-privat-a', patch: {} },
      want: 'resource: "subnet-privat-a" is not accepted; accepted: subnet-private-a, subnet-public-a; did you mean "subnet-private-a"?',
    },
  ])('refuses what changes nothing only while nothing exists: $override.kind', ({ override, want }) => {
    const error = `cannot accept ${owner}: spec.infrastructure.overrides[0].${want}`;
    expect(() => applyOverrides(resources, [override], owner, { ...limits, isNew: true })).toThrow(error);
    expect(applyOverrides(resources, [override], owner, limits).unmatched).toHaveLength(1);
  });
});

test('an override of a kind another function composes is not reported here', () => {
  const overrides = [{ kind: 'Instance', patch: {} }];
  expect(
    applyOverrides(resources, overrides, owner, { ...LIMITS, elsewhere: new Set(['Instance']) }).unmatched,
  ).toEqual([]);
});

describe('an override of a protected field is refused, even when it matches nothing', () => {
  test.for([
    {
      patch: { spec: { managementPolicies: ['Observe'] } },
      want: 'patch.spec.managementPolicies: cannot be overridden; accepted: spec.forProvider, spec.initProvider, metadata.labels, metadata.annotations',
    },
    {
      patch: { kind: 'Subnet' },
      want: 'patch.kind: cannot be overridden; accepted: spec.forProvider, spec.initProvider, metadata.labels, metadata.annotations',
    },
    {
      patch: { metadata: { name: 'x' } },
      want: 'patch.metadata.name: cannot be overridden; accepted: spec.forProvider, spec.initProvider, metadata.labels, metadata.annotations',
    },
    { patch: { spec: null }, want: 'patch.spec: null is not accepted; accepted: an object' },
    {
      patch: { spec: { forProvider: null } },
      want: 'patch.spec.forProvider: null is not accepted; accepted: an object',
    },
    {
      patch: { metadata: { labels: { 'slipway.dev/cluster': 'other' } } },
      want: 'patch.metadata.labels["slipway.dev/cluster"]: cannot be overridden; accepted: keys outside slipway.dev, crossplane.io, upbound.io, kubernetes.io, k8s.io, x-k8s.io',
    },
    {
      patch: { metadata: { annotations: { a: 1 } } },
      want: 'patch.metadata.annotations["a"]: 1 is not accepted; accepted: a string, or null to remove it',
    },
    {
      patch: { metadata: { labels: { a: [{ token: 'hidden' }] } } },
      want: 'patch.metadata.labels["a"]: a list of 1 item is not accepted; accepted: a string, or null to remove it',
    },
    {
      patch: { spec: { forProvider: 'x'.repeat(100) } },
      want: `patch.spec.forProvider: "${'x'.repeat(55)}..." is not accepted; accepted: an object`,
    },
  ])('$patch', ({ patch, want }) => {
    expect(() => apply({ kind: 'Nothing', patch })).toThrow(
      expect.objectContaining({
        code: 'InvalidClaim',
        message: `cannot accept ${owner}: spec.infrastructure.overrides[0].${want}`,
      }),
    );
  });
});

describe('the platform says what claims may override', () => {
  const refused = (kind: string, forProvider: JsonObject, allowed: Overridable, part = 'forProvider'): string => {
    try {
      applyOverrides(resources, [{ kind, patch: { spec: { [part]: forProvider } } }], owner, {
        allowed,
        statedIn: 'X',
      });
      return 'accepted';
    } catch (thrown) {
      return String(thrown instanceof Error ? thrown.message : thrown).split('patch.')[1] ?? '';
    }
  };
  const MONITORING = { Instance: ['spec.forProvider.monitoring', 'spec.forProvider.options.cores'] };

  test.for([
    { name: 'a listed field', kind: 'Instance', forProvider: { monitoring: true } },
    { name: 'a listed field, removed', kind: 'Instance', forProvider: { monitoring: null } },
    { name: 'what is below a listed field', kind: 'Instance', forProvider: { monitoring: { every: 1 } } },
    { name: 'a listed field below another one', kind: 'Instance', forProvider: { options: { cores: 1 } } },
    { name: 'a listed field at creation', kind: 'Instance', forProvider: { monitoring: true }, part: 'initProvider' },
    { name: 'nothing', kind: 'RolePolicy', forProvider: {} },
  ])('$name is accepted', ({ kind, forProvider, part }) => {
    expect(refused(kind, forProvider, MONITORING, part)).toBe('accepted');
  });

  test.for<{ readonly name: string; readonly forProvider: JsonObject; readonly path: string }>([
    { name: 'another field', forProvider: { ami: 'ami-1' }, path: 'ami' },
    { name: 'the second of two fields', forProvider: { monitoring: true, ami: 'ami-1' }, path: 'ami' },
    { name: 'a field that begins like a listed one', forProvider: { monitoringRole: 'x' }, path: 'monitoringRole' },
    { name: 'a list above a listed field', forProvider: { options: [{ cores: 1 }] }, path: 'options' },
    { name: 'a field above a listed one, removed', forProvider: { options: null }, path: 'options' },
    { name: 'a field that every object inherits', forProvider: { constructor: 'x' }, path: 'constructor' },
  ])('$name is refused, and the message says what is accepted and who may allow it', ({ forProvider, path }) => {
    expect(refused('Instance', forProvider, MONITORING)).toBe(
      `spec.forProvider.${path}: may not be overridden; accepted for Instance: spec.forProvider.monitoring, spec.forProvider.options.cores (overrides in X)`,
    );
  });

  test('a kind that is not listed has no field, also if its name is one that every object inherits', () => {
    for (const kind of ['RolePolicy', 'constructor', '__proto__'])
      expect(refused(kind, { policy: '{}' }, MONITORING)).toBe(
        `spec.forProvider.policy: may not be overridden; accepted for ${kind}: nothing (overrides in X)`,
      );
  });
});

describe('labels and annotations tell controllers what to do: a claim may set those that the platform names', () => {
  const MARKS = {
    '*': ['metadata.labels["example.com/*"]', 'metadata.labels["team"]', 'metadata.annotations["example.com/note"]'],
  };
  const marking = (part: 'labels' | 'annotations', key: string, value: Json = 'x', allowed: Overridable = MARKS) => {
    const override = { kind: 'LB', patch: { metadata: { [part]: { [key]: value } } } as JsonObject };
    return () => applyOverrides(resources, [override], owner, { allowed, statedIn: 'X' });
  };

  test.for([
    { part: 'labels', key: 'example.com/cost-center' },
    { part: 'labels', key: 'team' },
    { part: 'annotations', key: 'example.com/note' },
  ] as const)('$part: $key is accepted, and its removal', ({ part, key }) => {
    const { resources: after } = marking(part, key)();
    expect(after.get('load-balancer')?.metadata?.[part]).toMatchObject({ [key]: 'x' });
    expect(marking(part, key, null)).not.toThrow();
  });

  test.for([
    { part: 'labels', key: 'argocd.argoproj.io/instance' },
    { part: 'labels', key: 'example.com.argoproj.io/instance' },
    { part: 'labels', key: 'argocd.example.com/instance' },
    { part: 'labels', key: 'example.com' },
    { part: 'labels', key: 'teams' },
    { part: 'annotations', key: 'meta.helm.sh/release-name' },
    { part: 'annotations', key: 'team' },
    { part: 'annotations', key: 'example.com/notes' },
    { part: 'annotations', key: 'constructor' },
  ] as const)('$part: $key is refused', ({ part, key }) => {
    expect(marking(part, key)).toThrow(
      `patch.metadata.${part}["${key}"]: may not be overridden; accepted for LB: metadata.annotations["example.com/note"], metadata.labels["example.com/*"], metadata.labels["team"] (overrides in X)`,
    );
  });

  test.for([
    'crossplane.io/external-name',
    'uptest.upbound.io/x',
    'kubernetes.io/cluster/b',
    'cluster.x-k8s.io/paused',
    'slipway.dev/cluster',
  ])('%s is refused, whatever the platform names', (key) => {
    const allowed = { LB: [`metadata.annotations["${key}"]`] };
    expect(marking('annotations', key, 'x', allowed)).toThrow(
      `patch.metadata.annotations["${key}"]: cannot be overridden`,
    );
  });

  const isAccepted = (run: () => unknown): boolean => {
    try {
      run();
      return true;
    } catch {
      return false;
    }
  };

  test('no other key is accepted, whatever it looks like', () => {
    const name = fc.string({ unit: fc.constantFrom(...'examplecot./-*"]'.split('')), maxLength: 24 });
    fc.assert(
      fc.property(name, (key) => {
        expect(isAccepted(marking('labels', key))).toBe(key === 'team' || key.startsWith('example.com/'));
      }),
      { numRuns: 2000, examples: [['example.com/'], ['team'], ['*'], ['example.com/*']] },
    );
  });
});

describe('tags that say whose an object is', () => {
  const KEYS = ['kubernetes.io/cluster/b', 'sigs.k8s.io/cluster-api-provider-aws/cluster/b', 'slipway.dev/claim'];
  const inAnyCase = (key: string) => [key, key.toUpperCase(), `${key[0]!.toUpperCase()}${key.slice(1)}`];

  test.for(KEYS.flatMap(inAnyCase))('%s is refused in every field, whatever is listed: IAM ignores case', (key) => {
    const places: readonly [path: string, patch: JsonObject][] = [
      ['spec.forProvider.tags', { spec: { forProvider: { tags: { cost: 'x', [key]: 'owned' } } } }],
      ['spec.initProvider.volumeTags', { spec: { initProvider: { volumeTags: { [key]: null } } } }],
      ['spec.forProvider.disk.tags', { spec: { forProvider: { disk: { tags: { [key]: 'owned' } } } } }],
      ['spec.forProvider.disks[1].tags', { spec: { forProvider: { disks: [{}, { tags: { [key]: 'owned' } }] } } }],
    ];
    for (const [path, patch] of places)
      expect(() => apply({ kind: 'LB', patch })).toThrow(
        `patch.${path}["${key}"]: cannot be overridden; accepted: keys outside slipway.dev, `,
      );
  });

  test('other tags are accepted', () => {
    const tags = { 'example.com/cost': '1', kubernetes: 'x', 'notkubernetes.io/cluster/b': 'x' };
    expect(() => apply({ kind: 'LB', patch: { spec: { forProvider: { tags } } } })).not.toThrow();
  });
});

test('a merge patch follows RFC 7386', () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(json, json, (target, patch) => {
      const once = mergePatch(target, patch);
      expect(mergePatch(once, patch), 'applying it twice equals applying it once').toEqual(once);
      expect(mergePatch(target, {}), 'an empty patch does not change an object').toEqual(
        typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {},
      );
    }),
  );
});

describe('a list that is shorter now leaves what exists', () => {
  const patch = { spec: { forProvider: { healthCheck: { interval: 30 } } } };
  const planned = new Map([
    ['target', { apiVersion: 'a/v1', kind: 'LBTargetGroup', spec: { forProvider: { port: 1 } } }],
  ]);
  const seen = (forProvider: JsonObject) =>
    new Map([['target', { apiVersion: 'a/v1', kind: 'LBTargetGroup', spec: { forProvider } }]]);
  const override = { kind: 'LBTargetGroup', patch };

  test.for([
    ['it has the values, and others of the provider', { port: 1, healthCheck: { interval: 30, path: '/' } }, true],
    ['it has other values', { port: 1, healthCheck: { interval: 10 } }, false],
    ['it has none', { port: 1 }, false],
  ] as const)('%s', ([, forProvider, laid]) => {
    expect(isLaid(override, planned, seen(forProvider as unknown as JsonObject))).toBe(laid);
  });

  test('nothing exists', () => {
    expect(isLaid(override, planned, new Map())).toBe(false);
    expect(isLaid({ kind: 'Other', patch }, planned, seen({}))).toBe(false);
  });

  test('such an override is laid over it again, and another one is refused', () => {
    const limits = {
      allowed: {},
      statedIn: 'X',
      has: (one: Override) => isLaid(one, planned, seen({ healthCheck: { interval: 30 } })),
    };
    const { resources: after } = applyOverrides(planned, [override], owner, limits);
    expect(after.get('target')?.spec).toEqual({ forProvider: { port: 1, healthCheck: { interval: 30 } } });
    const other = { kind: 'LBTargetGroup', patch: { spec: { forProvider: { healthCheck: { interval: 31 } } } } };
    expect(() => applyOverrides(planned, [other], owner, limits)).toThrow('may not be overridden');
  });
});
