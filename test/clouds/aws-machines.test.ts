/**
 * Machines of AWS with what only AWS has, as docs/clouds/aws.md shows it: spot, placement, and a data disk that the
 * platform allows. An interrupted spot instance is replaced, and a plan says what the override does to machines.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { at, isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { API_VERSION, LABEL } from '#lib/api/words.ts';
import { createEngine } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, definitions, ROOT } from '../../cli/files/repository.ts';
import { planClaims } from '../../cli/plan/plan-claims.ts';
import { observedObjects } from '../../cli/simulate/save.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { crdsAvailable, validateManaged } from '../support/crds.ts';
import { EVERY_VERSION } from '../support/every-version.ts';
import { inProcess } from '../support/in-process.ts';

const INSTANCE = { apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' };
const PAGE = readFileSync(join(ROOT, 'docs/clouds/aws.md'), 'utf8');
const blocks = [...PAGE.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);

/** The pool and the list of the platform, as the page has them. */
const pool = blocks
  .flatMap((text) => parseAllDocuments(text).map((one) => one.toJS() as KubeObject))
  .find(({ kind, metadata }) => kind === 'NodePool' && metadata?.name === 'prod-spot')!;
const allowed = blocks
  .map((text) => parseAllDocuments(text)[0]?.toJS() as JsonObject)
  .find((one) => 'overrides' in one)!;

/** The list of the platform, in the inputs of pools and machines. */
const platform = compositions().map((composition) => {
  const steps = at(composition, 'spec', 'pipeline') as readonly JsonObject[];
  const pipeline = steps.map((step) => {
    const { input } = step;
    const judges = isJsonObject(input) && ['NodePoolInput', 'MachineInput'].includes(stringAt(input, 'kind') ?? '');
    return judges ? { ...step, input: { ...input, ...allowed } } : step;
  });
  return { ...composition, spec: { ...composition.spec, pipeline } };
});

const engine = createEngine({
  clouds: SIMULATED_CLOUDS,
  start: new Date('2026-01-01T00:00:00Z'),
  seed: 0,
  functions: inProcess,
});
engine.load([...definitions(), ...platform, EVERY_VERSION]);
const [cluster] = readObjects([join(ROOT, 'examples/aws/cluster.yaml')]);
const instances = () =>
  engine.list(INSTANCE).filter(({ metadata }) => metadata?.labels?.[LABEL.nodePool] === 'prod-spot');

beforeAll(async () => {
  for (const claim of [cluster!, pool]) engine.apply(claim);
  const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
  if (!reached) throw new Error('the claims do not become Ready');
});

test('instances are as the page says, and the provider accepts them', () => {
  expect(instances()).toHaveLength(2);
  for (const { status: _status, ...object } of instances()) {
    expect(object.spec).toMatchObject({
      forProvider: { instanceMarketOptions: { marketType: 'spot' }, placementGroup: 'spread' },
      initProvider: { ebsBlockDevice: [{ deviceName: '/dev/sdf', volumeSize: 200, encrypted: true }] },
    });
    expect(crdsAvailable() ? validateManaged(object) : []).toEqual([]);
  }
});

test('the machine of an instance that AWS takes away is replaced at once', async () => {
  const [lost, stays] = instances().map(({ metadata }) => metadata?.name ?? '');
  engine.terminate({ ...INSTANCE, namespace: 'team-a', name: lost ?? '' });
  const isReplaced = () => {
    const names = instances().map(({ metadata }) => metadata?.name ?? '');
    return !names.includes(lost ?? '') && names.includes(stays ?? '') && names.length === 2 && allReady(engine);
  };
  const { reached } = await engine.runUntil(isReplaced, { limitSeconds: engine.seconds + 3600 });
  expect(reached).toBe(true);
});

test('a plan says that every machine is replaced when the override changes', async () => {
  const { infrastructure: _none, ...spec } = pool.spec ?? {};
  const entries = await planClaims(
    {
      objects: observedObjects(engine),
      definitions: definitions(),
      compositions: platform,
      functions: inProcess,
      now: engine.now,
    },
    [{ ...pool, spec }],
  );
  const machines = entries.filter(({ decision }) => decision === 'Recreate');
  expect(machines).toHaveLength(2);
  expect(engine.list({ apiVersion: API_VERSION, kind: 'NodePool' }).length).toBe(2);
});
