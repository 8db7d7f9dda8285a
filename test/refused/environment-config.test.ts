/** A platform adds images, sizes and regions with one object: the example of the page, simulated. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { installedEngine } from '../support/example.ts';

const CONFIG = readObjects([join(ROOT, 'examples/platform')]);
const SELECTOR = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'aws' } } };
const claim = (kind: string, name: string, spec: JsonObject): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name, namespace: 'team-a' },
  spec: { crossplane: SELECTOR, ...spec },
});
const CLUSTER = claim('Cluster', 'prod', {
  version: 'v1.37.1',
  region: 'home',
  controlPlane: { replicas: 1, machine: { class: 'standard-2' } },
});
const pool = (fields: JsonObject = {}): KubeObject =>
  claim('NodePool', 'prod-general', {
    clusterRef: { name: 'prod' },
    replicas: 1,
    machine: { class: 'standard-4' },
    ...fields,
  });

test('an EnvironmentConfig of the platform', async () => {
  const engine = installedEngine();
  for (const object of [...CONFIG, CLUSTER, pool()]) engine.apply(object);
  const instances = (): readonly (readonly [unknown, unknown])[] =>
    engine
      .list({ apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' })
      .filter(({ metadata }) => metadata?.name?.startsWith('prod-general') === true)
      .map(({ spec }) => [at(spec, 'forProvider', 'instanceType'), at(spec, 'forProvider', 'ami')] as const);
  const settled = async (): Promise<boolean> =>
    (await engine.runUntil(() => allReady(engine), { limitSeconds: 7200 })).reached;

  expect(await settled(), 'its region, image and sizes are used').toBe(true);
  expect(instances()).toEqual([['m7i.xlarge', 'ami-0bbbbbbbbbbbbb354']]);

  const edited = CONFIG.map((one) => ({
    ...one,
    data: { ...(one['data'] as JsonObject), classes: { 'standard-4': 'm7a.xlarge' } },
  }));
  for (const object of edited) engine.apply(object);
  engine.apply(pool({ replicas: 2 }));
  await engine.runUntil(() => instances().length === 2 && allReady(engine), { limitSeconds: 7200 });
  expect(
    instances().toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    'a machine that exists keeps what it has',
  ).toEqual([
    ['m7a.xlarge', 'ami-0bbbbbbbbbbbbb354'],
    ['m7i.xlarge', 'ami-0bbbbbbbbbbbbb354'],
  ]);
});
