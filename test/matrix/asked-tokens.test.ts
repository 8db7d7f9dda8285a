/**
 * A cluster of Canonical Kubernetes on the simulated cloud, whose machines join by tokens that the cluster itself makes: they
 * are there before the machine is, and gone once its node is.
 */
import { expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { inProcess } from '../support/in-process.ts';
import { claimOf } from './claim.ts';
import { machinesOf, simulate } from './simulation.ts';

const PAIR = { name: 'asked', provider: 'canonical-kubernetes', format: 'cloud-init' };

function claim(replicas: number): readonly KubeObject[] {
  return claimOf(PAIR)
    .filter(({ kind }) => kind === 'Cluster')
    .map((cluster) => {
      const controlPlane = cluster.spec?.['controlPlane'];
      return {
        ...cluster,
        spec: { ...cluster.spec, controlPlane: { ...(isJsonObject(controlPlane) ? controlPlane : {}), replicas } },
      };
    });
}

test('one control-plane machine alone is a cluster, and asks for nothing', async () => {
  const { engine, ready } = await simulate(claim(1), inProcess);
  expect(ready, JSON.stringify(engine.snapshot().timeline.slice(-3))).toBe(true);
  expect(engine.snapshot()).toMatchObject({ violations: [], counters: { machinesBooted: 1, nodesJoined: 1 } });
});

test('three control planes join by a token each, and none of them is left', async () => {
  const simulation = await simulate(claim(3), inProcess);
  const { engine, ready } = simulation;
  expect(ready, JSON.stringify(engine.snapshot().timeline.slice(-3))).toBe(true);
  const joined = machinesOf(simulation).filter((one) => stringAt(one, 'spec', 'bootstrap', 'action') === 'Join');
  expect(joined).toHaveLength(2);
  for (const { metadata: { name = '', namespace = '' } = {} } of joined) {
    const token = { apiVersion: 'v1', kind: 'Secret', namespace, name: `${name}-join-token` };
    expect(engine.get(token), name).toBeUndefined();
    const node = engine.get({ apiVersion: 'node.slipway.dev/v1alpha1', kind: 'WorkloadNode', namespace, name });
    expect(node?.status?.['join'], name).toEqual({ joined: true });
    expect(conditionOf(node, 'Ready')?.status, name).toBe('True');
  }
});
