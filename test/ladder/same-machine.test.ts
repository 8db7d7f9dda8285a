/** Edits of a pool that change no machine, or that the cloud applies to running machines. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { type Engine } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, ROOT } from '../../cli/files/repository.ts';
import { installedEngine } from '../support/example.ts';

let engine: Engine;
const claims = readObjects([join(ROOT, 'examples/aws')]);
const [cluster, pool] = ['prod', 'prod-general'].map((name) => claims.find(({ metadata }) => metadata?.name === name)!);
const NAMESPACE = 'team-a';
const POOL = { apiVersion: 'slipway.dev/v1alpha1', kind: 'NodePool', namespace: NAMESPACE, name: 'prod-general' };

const apply = (spec: JsonObject): void =>
  void engine.apply({ ...pool!, spec: { ...pool!.spec, replicas: 2, ...spec } });
const pass = (seconds: number) => engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });
const workers = (apiVersion: string, kind: string): readonly KubeObject[] =>
  engine.list({ apiVersion, kind, namespace: NAMESPACE, labels: { 'slipway.dev/nodepool': 'prod-general' } });
const machines = () => workers('slipway.dev/v1alpha1', 'Machine');
const instances = () => {
  const names = new Set(machines().map(({ metadata }) => metadata?.name));
  const all = engine.list({ apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance', namespace: NAMESPACE });
  return all.filter(({ metadata }) => names.has(metadata?.name));
};
/** Where a change of a machine would be visible. */
const done = () => {
  const { machinesBooted, nodesDrained, cloudDeleted } = engine.snapshot().counters;
  const orders = machines().map((machine) => at(machine, 'spec', 'update'));
  const names = instances().map(({ metadata }) => metadata?.annotations?.['crossplane.io/external-name']);
  return { machinesBooted, nodesDrained, instances: cloudDeleted['Instance'] ?? 0, orders, names };
};

/** Compositions of a platform that lets claims override everything of an instance. */
function permissive(): readonly KubeObject[] {
  const kinds = new Set(['Machine', 'NodePool']);
  return compositions()
    .filter(({ spec }) => kinds.has(stringAt(spec, 'compositeTypeRef', 'kind') ?? ''))
    .map((composition) => {
      const pipeline = at(composition, 'spec', 'pipeline') as readonly JsonObject[];
      const steps = pipeline.map((step) =>
        step['step'] === 'machine' || step['step'] === 'nodepool'
          ? { ...step, input: { ...(step['input'] as JsonObject), overrides: { Instance: ['spec.forProvider'] } } }
          : step,
      );
      return { ...composition, spec: { ...composition.spec, pipeline: steps } };
    });
}

beforeAll(async () => {
  engine = installedEngine();
  engine.load(permissive());
  const controlPlane = { ...(cluster!.spec!['controlPlane'] as JsonObject), replicas: 1 };
  engine.apply({ ...cluster!, spec: { ...cluster!.spec, controlPlane } });
  apply({});
  const isReady = () => conditionOf(engine.get(POOL), 'Ready')?.status === 'True' && machines().length === 2;
  await engine.runUntil(isReady, { limitSeconds: 3600 });
  await pass(600);
});

describe('a pool whose size is stated in another way', () => {
  it('writes it to its machines, and no machine is drained, stopped or created', async () => {
    const before = done();
    for (const machine of [{ instanceType: 'm6i.xlarge' }, { class: 'm6i.xlarge' }, { class: 'standard-4' }]) {
      apply({ machine });
      await pass(300);
      expect(machines().map((one) => at(one, 'spec', 'machine'))).toMatchObject([machine, machine]);
      expect(done()).toEqual(before);
    }
  });
});

describe('a pool with an override that the cloud applies to running machines', () => {
  const override = (forProvider: JsonObject): JsonObject => ({
    infrastructure: { overrides: [{ kind: 'Instance', patch: { spec: { forProvider } } }] },
  });
  const reported = (field: string) => instances().map((one) => at(one, 'status', 'atProvider', field));

  it('has a tag on its machines while the override exists, and the machines stay', async () => {
    const before = { done: done(), tags: reported('tags') };
    apply(override({ tags: { team: 'a' } }));
    await pass(300);
    expect(reported('tags')).toMatchObject([{ team: 'a' }, { team: 'a' }]);
    apply({});
    await pass(300);
    expect(reported('tags')).toEqual(before.tags);
    expect(done()).toEqual(before.done);
  });

  it('has its machines in other security groups while the override exists, and the machines stay', async () => {
    const before = { done: done(), groups: reported('vpcSecurityGroupIds') };
    apply(override({ vpcSecurityGroupIds: ['sg-mine'] }));
    await pass(300);
    expect(reported('vpcSecurityGroupIds')).toEqual([['sg-mine'], ['sg-mine']]);
    apply({});
    await pass(300);
    expect(reported('vpcSecurityGroupIds')).toEqual(before.groups);
    expect(done()).toEqual(before.done);
  });
});
