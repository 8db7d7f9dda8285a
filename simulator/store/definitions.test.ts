/** The XRDs of Slipway as the API server serves them: defaults, refusals and rules. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import { type Engine, createEngine } from '../engine.ts';
import { withDefaults } from './schema/defaults.ts';
import { violations } from './schema/validate.ts';

let engine: Engine;

beforeAll(() => {
  engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed: 1,
    functions: () => expect.fail('not called'),
  });
  engine.load(
    ['clusters', 'nodepools', 'machines'].map((name) => parse(readFileSync(`xrds/${name}.yaml`, 'utf8')) as KubeObject),
  );
});

const aCluster = (spec: JsonObject = {}, name = 'prod'): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Cluster',
  metadata: { name, namespace: 'team-a' },
  spec: {
    version: 'v1.35.4',
    region: 'eu-west-1',
    controlPlane: { machine: { class: 'standard-2' } },
    ...spec,
  },
});

function refusal(object: KubeObject): string {
  try {
    engine.apply(object);
  } catch (thrown) {
    if (thrown instanceof SlipwayError) return thrown.message;
    throw thrown;
  }
  return 'accepted';
}

test('a claim is stored with its defaults', () => {
  const stored = engine.apply(aCluster());
  expect(at(stored, 'spec', 'network', 'pods')).toBe('10.244.0.0/16');
  expect(at(stored, 'spec', 'controlPlane', 'replicas')).toBe(3);
});

describe('an invalid claim is refused in one line', () => {
  test.for([
    [
      { versoin: 'v1' },
      /^cannot accept Cluster "team-a\/bad": spec\.versoin: unknown field; accepted: addons, bootstrap, controlPlane, /,
    ],
    [{ version: '1.35' }, /spec\.version: "1\.35" is not accepted/],
    [{ controlPlane: { replicas: 2, machine: { class: 'x' } } }, /spec\.controlPlane\.replicas: .*2.* odd number/],
    [{ network: { pods: '10.0.0.0/99' } }, /spec\.network.*pods.*"10\.0\.0\.0\/99"/],
    [{ network: { pods: '10.0.0.0/16', nodes: '10.0.0.0/16' } }, /spec\.network: .*must not overlap/],
  ] as const)('%j', ([spec, want]) => {
    expect(refusal(aCluster(spec, 'bad'))).toMatch(want);
    expect(
      engine.get({ apiVersion: 'slipway.dev/v1alpha1', kind: 'Cluster', namespace: 'team-a', name: 'bad' }),
    ).toBeUndefined();
  });
});

test('a field that cannot be changed is refused on a change only', () => {
  expect(refusal(aCluster({}, 'fixed'))).toBe('accepted');
  expect(refusal(aCluster({ region: 'eu-north-1' }, 'fixed'))).toMatch(
    /spec\.region: .*cannot be changed: machines and networks cannot move/,
  );
  expect(refusal(aCluster({ version: 'v1.35.5' }, 'fixed'))).toBe('accepted');
});

describe('a field that is null', () => {
  test.for([
    { what: 'with a default has the default', network: { pods: null }, want: '10.244.0.0/16' },
    { what: 'that is around defaults has them', network: null, want: '10.244.0.0/16' },
  ])('$what', ({ network, want }) => {
    expect(at(engine.apply(aCluster({ network }, 'null')), 'spec', 'network', 'pods')).toBe(want);
  });

  test.for([
    { what: 'of text', spec: { region: null }, field: 'spec.region' },
    { what: 'of an object', spec: { controlPlane: { machine: null } }, field: 'spec.controlPlane.machine' },
    {
      what: 'of a list',
      spec: { controlPlane: { machine: { class: 'standard-2', zones: [null] } } },
      field: 'spec.controlPlane.machine.zones[0]',
    },
  ] as const)('$what without a default is refused', ({ spec, field }) => {
    expect(refusal(aCluster(spec, 'bad'))).toContain(
      `cannot accept Cluster "team-a/bad": ${field}: null is not accepted; accepted: `,
    );
  });

  // None of Slipway's, but CRDs of others have such fields.
  test('that the schema lets be null stays null, whatever its default', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', nullable: true, default: 'x' } } };
    expect(withDefaults({ a: null }, schema)).toEqual({ a: null });
    expect(violations({ a: null }, schema, 'spec')).toEqual([]);
  });
});
