/** Our schemas and the API server accept the same claims. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateManaged } from '../../../test/support/crds.ts';
import type { Json, JsonObject, KubeObject } from '../json.ts';
import { Cluster } from './cluster.ts';
import { NodePool } from './node-pool.ts';

/** Either undefined or one of these: some valid, some invalid, some invalid only together. */
const field = (name: string, ...values: Json[]): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: 16, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(...values).map((value) => ({ [name]: value })) },
  );
const all = (...parts: fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> =>
  fc.tuple(...parts).map((fields) => Object.assign({}, ...fields) as JsonObject);
const within = (name: string, fields: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: 15, arbitrary: fields.map((value) => ({ [name]: value })) },
    { weight: 1, arbitrary: fc.constant({}) },
  );

const BLOCKS = [
  '10.0.0.0/16',
  '10.0.0.0/8',
  '10.244.0.0/16',
  '10.96.0.0/12',
  '172.16.0.0/12',
  '10.0.0.1/16',
  '10.0.0.0/08',
  '010.0.0.0/8',
  'fd00::/48',
  'fd00:0:0:1::/64',
  '::ffff:10.0.0.0/104',
  'x',
  '',
] as const;
const DURATIONS = ['10m', '1h30m', '0s', '90', '', 'm', '1.5h'] as const;
const COUNTS = [0, 1, 2, '0%', '25%', '100%', '101%', -1, 1.5, 'one'] as const;
const TIMES = ['2026-03-01T06:00:00Z', '2026-03-01T06:00:00+01:00', '2026-13-01T06:00:00Z', '2026-03-01', ''] as const;
const RANGES = ['[1-3]', '[2-2]', '[3-1]', '[10-9]', '[-1]', '1-3', '[1-3', ''] as const;
const health = within(
  'health',
  all(
    field('nodeStartupTimeout', ...DURATIONS),
    field('maxUnhealthy', ...COUNTS),
    field('unhealthyRange', ...RANGES),
    field('maxInFlight', ...COUNTS),
    field('retryPeriod', ...DURATIONS),
    field('maxRetry', 0, 3, -1),
  ),
);
const size = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<JsonObject>({ class: 'a' }, { instanceType: 'm6i.large' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<JsonObject>({}, { class: 'a', instanceType: 'b' }, { class: '' }, { class: 7 }),
  },
);
const machine = within(
  'machine',
  all(
    size,
    field('capacityType', 'spot', 'on-demand', 'Spot'),
    field('zones', ['a'], 'a'),
    field('rootDisk', { sizeGiB: 8 }, { sizeGiB: 7 }, { typ: 'x' }),
  ),
);
const provisioning = within(
  'provisioning',
  all(
    field('format', 'cloud-init', 'Ignition', ''),
    field(
      'files',
      [],
      ...['/etc/x', '/etc/../run/x', '/run/x', '/runner', '/tmp/', 'etc', '/', '/sys/fs'].map((path) => [
        { path, content: '' },
      ]),
    ),
    field('users', [{ name: 'core' }], [{ name: 'Core' }], [{ nam: 'core' }]),
    field('sysctls', { a: 'b' }, { a: 1 }),
  ),
);
const marks = all(
  field('labels', { a: 'b' }, { a: 'x'.repeat(64) }, { a: 1 }),
  field('taints', [], [{ key: 'a', effect: 'NoSchedule' }], [{ key: 'a', effect: 'No' }], [{ effect: 'NoSchedule' }]),
);

const clusters = all(
  field('version', 'v1.35.4', 'v1.35.4-rc.1', '1.35.4', 'v1.35'),
  fc.constant({ region: 'eu-west' }),
  within(
    'network',
    all(
      field('pods', ...BLOCKS),
      field('services', ...BLOCKS),
      field('nodes', ...BLOCKS),
      field('dnsDomain', 'a.b', 'A', ''),
    ),
  ),
  within(
    'controlPlane',
    all(
      field('replicas', 1, 2, 3, 9, 10, 0, -1, 1.5, '3'),
      machine,
      marks,
      field('endpoint', { host: 'a' }, { host: 'a', port: 0 }, { port: 1 }),
      field('scheme', 'internal', 'internet-facing', 'public'),
      field('allowedCIDRs', [], ...BLOCKS.map((block) => [block])),
    ),
  ),
  provisioning,
  within('bootstrap', all(field('provider', 'kubeadm', 'K3s', ''), field('config', {}, { any: ['thing'] }, 'x'))),
  within(
    'infrastructure',
    all(
      field(
        'existing',
        {},
        { network: { id: 'vpc-1' } },
        { network: {} },
        { subnets: [{ id: 'a', zone: 'b' }] },
        { subnets: [{ id: 'a' }] },
      ),
      field(
        'overrides',
        [],
        [{ kind: 'VPC', patch: {} }],
        [{ kind: 'VPC', patchFrom: { configMap: { name: 'a', key: 'b' } } }],
        [{ kind: 'VPC' }],
        [{ kind: 'VPC', patch: 1 }],
      ),
    ),
  ),
  health,
  within('update', all(field('rolloutAfter', ...TIMES), field('minReadySeconds', 0, 60, -1, '60'))),
  field('paused', true, 'true'),
);
const pools = all(
  fc.constant({ clusterRef: { name: 'prod' } }),
  field('replicas', 0, 3, 2000, 2001, -1, 1.5),
  field('role', 'worker', 'control-plane', 'master'),
  machine,
  marks,
  provisioning,
  within(
    'update',
    all(
      field('maxSurge', ...COUNTS),
      field('maxUnavailable', ...COUNTS),
      field('strategy', 'OnDelete', 'Recreate'),
      field('fallback', 'Hold', 'None'),
      field('drain', ...DURATIONS.map((timeout) => ({ timeout }))),
      field('rolloutAfter', ...TIMES),
    ),
  ),
  within('deletion', field('order', 'Random', 'Newest', 'Oldest', 'oldest')),
  health,
);

const CONTROL_PLANE = 'prod-control-plane';

// Only the API server checks that a control-plane pool has no other name, because it sees a pool before it is created.
const object = (kind: string, spec: JsonObject, name: string): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name: spec['role'] === 'control-plane' ? CONTROL_PLANE : name, namespace: 'team-a' },
  spec,
});
const name = fc.oneof(
  { weight: 15, arbitrary: fc.constant('prod') },
  { weight: 1, arbitrary: fc.constant(CONTROL_PLANE) },
);

test.for([
  { kind: 'Cluster', schema: Cluster, specs: clusters },
  { kind: 'NodePool', schema: NodePool, specs: pools },
])('the schema accepts a $kind exactly when the API server accepts it', ({ kind, schema, specs }) => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(specs, name, (spec, called) => {
      const claim = object(kind, spec, called);
      const ours = schema.safeParse(claim);
      const theirs = validateManaged(claim);
      seen[ours.success ? 'accepted' : 'refused'] += 1;
      expect(
        ours.success,
        `the API server: ${theirs.join(' | ') || 'accepted'}; we: ${ours.error?.message ?? 'accepted'}`,
      ).toBe(theirs.length === 0);
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(seen.accepted, seen.refused), 'both verdicts were seen').toBeGreaterThan(10);
});
