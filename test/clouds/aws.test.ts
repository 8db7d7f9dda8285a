/** The example of AWS on its simulated cloud, from claim to Ready: what its provider is told, and what it leaves alone. */
import { beforeAll, expect, test } from 'vitest';
import { at } from '#lib/api/json.ts';
import { installedEngine } from '../support/example.ts';
import { emptyIn, type Played, playExample } from './example.ts';
import { onePool } from './one-pool.ts';

let played: Played;

beforeAll(async () => {
  played = await playExample('aws');
});

const pass = async ({ engine }: Played, seconds: number): Promise<void> => {
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });
};

test('becomes Ready', () => {
  expect(played.reached).toBe(true);
  expect(played.first.size).toBeGreaterThan(70);
});

test('its provider is told no empty list, no empty map and no null', () => {
  expect(emptyIn(played)).toEqual([]);
});

test.for(['EIP', 'Instance'])('the provider fills in nothing of an %s whose id is stored', (kind) => {
  const found = played.list(kind, 'ec2.aws.m.upbound.io/v1beta1');
  expect(found.length).toBeGreaterThan(0);
  for (const { spec } of found) expect(spec?.['managementPolicies']).toEqual(['Observe', 'Create', 'Update', 'Delete']);
});

test('target groups have no stickiness, which the provider would switch on', () => {
  const groups = played.list('LBTargetGroup', 'elbv2.aws.m.upbound.io/v1beta1');
  expect(groups.map(({ status }) => at(status, 'atProvider', 'stickiness', 'enabled'))).toEqual([false]);
});

test('nobody writes to what is ready: neither a function nor the provider takes back what the other wrote', async () => {
  await pass(played, 300);
  const changed = new Set<string>();
  const end: () => void = played.engine.subscribe(({ type, ...rest }) => {
    if (type === 'object' && 'ref' in rest && rest.ref.apiVersion.includes('.m.upbound.io/'))
      changed.add(`${rest.ref.kind} ${rest.ref.name}`);
  });
  await pass(played, 600);
  expect([...changed]).toEqual([]);
  end();
});

test('a secret that its machine deleted is not made again, although nobody sees the node for long', async () => {
  const engine = installedEngine();
  for (const claim of onePool('aws', { replicas: 0 })) engine.apply(claim);
  const machines = () => engine.list({ apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' });
  await engine.runUntil(() => machines().length > 0, { limitSeconds: 3600 });
  engine.stop('node', 900);
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + 850 });
  expect(engine.snapshot().counters.cloudCreated).toMatchObject({ Secret: 1, SecretVersion: 1 });
  expect(engine.snapshot().timeline.filter(({ text }) => text.startsWith('made again'))).toEqual([]);
});
