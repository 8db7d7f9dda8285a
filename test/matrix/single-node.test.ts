/**
 * A cluster of Canonical Kubernetes on the simulated cloud: a single machine is Ready; a joining machine reports what
 * it waits for.
 */
import { expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { inProcess } from '../support/in-process.ts';
import { claimOf } from './claim.ts';
import { machinesOf, simulate } from './simulation.ts';

const PAIR = { name: 'alone', provider: 'canonical-kubernetes', format: 'cloud-init' };

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

test('one control-plane machine alone is a cluster', async () => {
  const { engine, ready } = await simulate(claim(1), inProcess);
  expect(ready, JSON.stringify(engine.snapshot().timeline.slice(-3))).toBe(true);
  expect(engine.snapshot()).toMatchObject({ violations: [], counters: { machinesBooted: 1, nodesJoined: 1 } });
});

test('a second one waits for its token, and has no first-boot data', async () => {
  const simulation = await simulate(claim(3), inProcess, undefined, 900);
  expect(simulation.ready).toBe(false);
  const waiting = machinesOf(simulation).filter((one) => stringAt(one, 'spec', 'bootstrap', 'action') === 'Join');
  expect(waiting.length).toBeGreaterThan(0);
  for (const machine of waiting) {
    expect(conditionOf(machine, 'BootstrapConfigReady')).toMatchObject({ reason: 'WaitingForJoinToken' });
    expect(conditionOf(machine, 'BootstrapConfigReady')?.message).toContain(`${machine.metadata?.name}-join-token`);
  }
  expect(simulation.engine.snapshot()).toMatchObject({ counters: { machinesBooted: 1 } });
});
