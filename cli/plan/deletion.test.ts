/** Which objects are deleted with a claim, in which order, and what is refused; computed from objects alone. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { planDeletions } from './deletion.ts';
import type { Ref, PlanWorld } from './world.ts';

const anXr = (kind: string, name: string, spec: JsonObject, composed: readonly KubeObject[] = []): KubeObject => ({
  apiVersion: API_VERSION,
  kind,
  metadata: { name, namespace: 'team-a' },
  spec: {
    ...spec,
    crossplane: {
      resourceRefs: composed.map((one) => ({
        apiVersion: one.apiVersion,
        kind: one.kind,
        name: one.metadata?.name ?? '',
      })),
    },
  },
});

const vpc = (managementPolicies: string[]): KubeObject => ({
  apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
  kind: 'VPC',
  metadata: { name: 'prod-vpc', namespace: 'team-a' },
  spec: { managementPolicies },
});

function aWorld(cluster: JsonObject = {}, policies: string[] = ['*']): PlanWorld {
  const clusterRef = { name: 'prod' };
  const worker = anXr('Machine', 'general-0-aaaaa', { clusterRef, role: 'worker' });
  const leader = anXr('Machine', 'prod-control-plane-0-aaaaa', { clusterRef, role: 'control-plane' });
  const controlPlane = anXr('NodePool', 'prod-control-plane', { clusterRef, role: 'control-plane' }, [leader]);
  const network = vpc(policies);
  const objects = [
    anXr('Cluster', 'prod', cluster, [network, controlPlane]),
    anXr('NodePool', 'general', { clusterRef, role: 'worker' }, [worker]),
    anXr('NodePool', 'memory', { clusterRef, role: 'worker' }),
    worker,
    leader,
    controlPlane,
    network,
  ];
  return { objects, definitions: [], compositions: [], functions: () => expect.fail('not called'), now: new Date(0) };
}

const CLUSTER: Ref = { kind: 'Cluster', name: 'prod' };
const POOLS: readonly Ref[] = ['general', 'memory'].map((name) => ({ kind: 'NodePool', name }));
const lines = (world: PlanWorld, refs: readonly Ref[]) =>
  planDeletions(world, refs).entries.map(({ name, decision, reason }) => `${decision} ${name}: ${reason}`);

describe('the pool of a control plane', () => {
  const POOL: Ref = { kind: 'NodePool', name: 'prod-control-plane' };

  it('is not deleted alone, because the cluster would be lost with it', () => {
    expect(lines(aWorld(), [POOL])).toEqual([
      'Refused prod-control-plane: cannot be deleted: it is the control plane of Cluster "prod"; delete the Cluster instead',
    ]);
  });

  it('is deleted with its Cluster', () => {
    expect(lines(aWorld(), [CLUSTER, ...POOLS, POOL])).not.toContainEqual(expect.stringContaining('Refused'));
  });
});

describe('a Cluster', () => {
  it('is refused with the names of all its remaining pools, and none of its objects is deleted', () => {
    const removal = planDeletions(aWorld(), [CLUSTER]);
    expect(removal.entries).toMatchObject([
      {
        kind: 'Cluster',
        decision: 'Refused',
        reason:
          'cannot be deleted: NodePool "general" (1 machine), "memory" (0 machines) belong to it; delete them first',
      },
    ]);
    expect(aWorld().objects.filter(removal.gone)).toEqual([]);
  });

  it('is refused if one pool is deleted and another one remains', () => {
    expect(lines(aWorld(), [CLUSTER, POOLS[0]!]).at(-1)).toBe(
      'Refused prod: cannot be deleted: NodePool "memory" (0 machines) belongs to it; delete it first',
    );
  });

  it('is refused while deletionProtection is true, whatever else is deleted', () => {
    expect(lines(aWorld({ deletionProtection: true }), [CLUSTER, ...POOLS]).at(-1)).toBe(
      'Refused prod: cannot be deleted: spec.deletionProtection is true; set it to false first',
    );
  });

  it('leaves what controllers in it created, which is found by the tag of its objects, and told before', () => {
    const tags = { 'slipway.dev/claim': 'team-a/prod', 'kubernetes.io/cluster/team-a-prod-dsc82p': 'owned' };
    const { objects, ...others } = aWorld();
    const tagged = objects.map((one) =>
      one.kind === 'Cluster' ? { ...one, status: { infrastructure: { tags } } } : one,
    );
    const { entries } = planDeletions({ ...others, objects: tagged }, [...POOLS, CLUSTER]);
    expect(entries.find(({ kind }) => kind === 'Cluster')?.reason).toBe(
      'Cluster prod is deleted; its network stays until load balancers and volumes that add-ons created are gone: find them by tag kubernetes.io/cluster/team-a-prod-dsc82p=owned',
    );
  });

  it('is deleted after its pools, without a drain of its control plane', () => {
    expect(lines(aWorld(), [CLUSTER, ...POOLS])).toEqual([
      'Drop general: NodePool general is deleted',
      'Drop general-0-aaaaa: NodePool general is deleted; its node is drained first',
      'Drop memory: NodePool memory is deleted',
      'Drop prod: Cluster prod is deleted',
      'Drop prod-control-plane: NodePool prod-control-plane is deleted',
      'Drop prod-control-plane-0-aaaaa: NodePool prod-control-plane is deleted; control-plane nodes are not drained',
      'Drop prod-vpc: Cluster prod is deleted',
    ]);
    const { entries } = planDeletions(aWorld(), [CLUSTER, ...POOLS]);
    const ofCluster = entries.filter(({ name }) => name.startsWith('prod'));
    expect(ofCluster).toHaveLength(4);
    expect(
      new Set(ofCluster.map(({ blockedBy }) => blockedBy)),
      'everything of it waits, its control plane too',
    ).toEqual(new Set(['NodePool general, memory, until the last node is drained']));
  });

  it.each([
    ['helm.m.crossplane.io/v1beta1', 'Release', 'what it installed stays in the cluster'],
    ['kubernetes.m.crossplane.io/v1alpha1', 'Object', 'what it installed stays in the cluster'],
    ['node.slipway.dev/v1alpha1', 'WorkloadNode', 'its Node stays in the cluster, and is not drained'],
  ])('says what stays of something in a cluster, which is in no cloud: %s %s', (apiVersion, kind, what) => {
    const { objects, ...others } = aWorld({}, ['Create', 'Observe']);
    const inCluster = objects.map((one) => {
      const text = JSON.stringify(one).replaceAll('"ec2.aws.m.upbound.io/v1beta1"', `"${apiVersion}"`);
      return JSON.parse(text.replaceAll('"VPC"', `"${kind}"`)) as KubeObject;
    });
    expect(lines({ ...others, objects: inCluster }, [CLUSTER, ...POOLS]).at(-1)).toBe(
      `Ignore prod-vpc: its managementPolicies do not include Delete: ${what}`,
    );
  });

  it('leaves cloud resources that may not be deleted', () => {
    expect(lines(aWorld({}, ['Create', 'Observe']), [CLUSTER, ...POOLS]).at(-1)).toBe(
      'Ignore prod-vpc: its managementPolicies do not include Delete: it stays in the cloud',
    );
  });
});
