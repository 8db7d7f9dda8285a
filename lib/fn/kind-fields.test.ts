/** An override is judged by the fields of the provider, with the field at fault named. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { applyOverrides } from './overrides.ts';

const FIELDS = {
  Instance: JSON.stringify({
    monitoring: 'boolean',
    monitoringInterval: 'integer',
    price: 'number',
    'tenancy~': 'string',
    'boot~': { image: 'string', size: 'integer' },
    'region!-': 'string',
    options: { 'threads~': 'integer', mode: 'string' },
    'disk!': { size: 'integer' },
    tags: { '*': 'string' },
    hosts: ['string'],
    volumes: [{ name: 'string', size: 'integer' }],
    market: { '=': ['spot', 'on-demand'] },
    raw: 'any',
    zeta: 'string',
  }),
};
const owner = 'NodePool "team-a/general"';
const instance = (forProvider: JsonObject): KubeObject => ({
  apiVersion: 'a/v1',
  kind: 'Instance',
  spec: { forProvider },
});

const answer = (
  patch: JsonObject,
  { seen, part = 'forProvider', named = [] }: { seen?: JsonObject; part?: string; named?: readonly string[] } = {},
): string => {
  const planned = new Map([['vm', instance({})]]);
  const limits = {
    allowed: { Instance: ['spec.forProvider', ...named] },
    statedIn: 'X',
    fields: FIELDS,
    observed: new Map(seen === undefined ? [] : [['vm', instance(seen)]]),
  };
  try {
    applyOverrides(planned, [{ kind: 'Instance', patch: { spec: { [part]: patch } } }], owner, limits);
    return 'accepted';
  } catch (thrown) {
    return (thrown as Error).message.replace(`cannot accept ${owner}: spec.infrastructure.overrides[0].patch.`, '');
  }
};

describe('what the provider has is accepted', () => {
  test.for([
    [
      'values of every type',
      { monitoring: true, price: 0.5, tenancy: 'host', options: { threads: 2 }, raw: [{ any: 1 }] },
    ],
    [
      'maps, lists and one of several values',
      { tags: { a: 'b' }, hosts: ['x'], volumes: [{ size: 1 }], market: 'spot' },
    ],
    [
      'a field, an entry of a map or a block that is taken away',
      { monitoring: null, tags: { a: null }, options: null },
    ],
  ] as const)('%s', ([, patch]) => {
    expect(answer(patch as unknown as JsonObject)).toBe('accepted');
  });

  test('a kind that is not known here', () => {
    const planned = new Map([['x', { apiVersion: 'a/v1', kind: 'Other' }]]);
    const limits = { allowed: { '*': ['spec.forProvider'] }, statedIn: 'X', fields: FIELDS };
    const patch = { spec: { forProvider: { anything: 1 } } };
    expect(() => applyOverrides(planned, [{ kind: 'Other', patch }], owner, limits)).not.toThrow();
  });

  test('a field that the platform names, since its provider may be newer', () => {
    expect(answer({ brandNew: { a: 1 } }, { named: ['spec.forProvider.brandNew'] })).toBe('accepted');
    expect(answer({ options: { brandNew: 1 } }, { named: ['spec.forProvider.options.brandNew'] })).toBe('accepted');
  });
});

describe('what it does not have is refused by name', () => {
  test.for([
    [
      { monitorin: true },
      'spec.forProvider.monitorin: unknown field of Instance; accepted: monitoring, monitoringInterval, market and 11 other fields of its provider',
    ],
    [{ options: { thread: 2 } }, 'spec.forProvider.options.thread: unknown field of Instance; accepted: threads, mode'],
    [
      { volumes: [{}, { sise: 1 }] },
      'spec.forProvider.volumes[1].sise: unknown field of Instance; accepted: name, size',
    ],
    [
      { constructor: 1 },
      'spec.forProvider.constructor: unknown field of Instance; accepted: boot, disk, hosts and 11 other fields of its provider',
    ],
    [{ monitoring: 'yes' }, 'spec.forProvider.monitoring: "yes" is not accepted; accepted: true, false'],
    [{ monitoringInterval: 1.5 }, 'spec.forProvider.monitoringInterval: 1.5 is not accepted; accepted: a whole number'],
    [{ price: '1' }, 'spec.forProvider.price: "1" is not accepted; accepted: a number'],
    [{ tags: { a: 1 } }, 'spec.forProvider.tags.a: 1 is not accepted; accepted: a string'],
    [{ hosts: 'x' }, 'spec.forProvider.hosts: "x" is not accepted; accepted: a list'],
    [{ hosts: [1] }, 'spec.forProvider.hosts[0]: 1 is not accepted; accepted: a string'],
    [{ options: 'x' }, 'spec.forProvider.options: "x" is not accepted; accepted: an object'],
    [{ market: 'auction' }, 'spec.forProvider.market: "auction" is not accepted; accepted: spot, on-demand'],
    [{ disk: null }, 'spec.forProvider.disk: cannot be taken away: the provider requires it for Instance'],
  ] as const)('%o', ([patch, want]) => {
    expect(answer(patch as unknown as JsonObject)).toContain(want);
  });

  test('of initProvider, too, which lacks some', () => {
    expect(answer({ monitoring: 1 }, { part: 'initProvider' })).toContain('spec.initProvider.monitoring: 1 is not');
    expect(answer({ region: 'x' }, { part: 'initProvider' })).toContain('spec.initProvider.region: unknown field');
  });
});

describe('a field that the provider can only choose once', () => {
  const want = (field: string, now: string) =>
    `spec.forProvider.${field}: cannot change on Instance that exists, since the provider would have to replace it; accepted: ${now}`;

  test('is accepted for what is to be created, and with the value that is there', () => {
    expect(answer({ tenancy: 'host' })).toBe('accepted');
    expect(answer({ tenancy: 'host' }, { seen: { tenancy: 'host' } })).toBe('accepted');
    expect(answer({ tenancy: 'host' }, { seen: {} })).toBe('accepted');
    const boot = { image: 'a', size: 9 };
    expect(answer({ monitoring: true, boot: { size: 9 } }, { seen: { boot } })).toBe('accepted');
    expect(answer({ boot: { size: 8 } }, { seen: { boot } })).toBe(want('boot', 'its present value'));
  });

  test('is accepted of two overrides if the last one says what is there', () => {
    const planned = new Map([['vm', instance({})]]);
    const both = ['default', 'host'].map((tenancy) => ({
      kind: 'Instance',
      patch: { spec: { forProvider: { tenancy } } },
    }));
    const judge = (tenancy: string) => () =>
      applyOverrides(planned, both, owner, {
        allowed: { Instance: ['spec.forProvider'] },
        statedIn: 'X',
        fields: FIELDS,
        observed: new Map([['vm', instance({ tenancy })]]),
      });
    expect(judge('host')).not.toThrow();
    expect(judge('default')).toThrow('overrides[1].patch.spec.forProvider.tenancy: cannot change on Instance');
  });

  test('is refused with another value, or to be taken away', () => {
    expect(answer({ tenancy: 'host' }, { seen: { tenancy: 'default' } })).toBe(want('tenancy', '"default"'));
    expect(answer({ tenancy: null }, { seen: { tenancy: 'default' } })).toBe(want('tenancy', '"default"'));
    expect(answer({ options: { threads: 2 } }, { seen: { options: { threads: 1 } } })).toBe(
      want('options.threads', '1'),
    );
  });
});
