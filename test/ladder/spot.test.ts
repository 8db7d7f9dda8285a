/** A cloud takes spot machines back in the middle of a roll-out: the budget holds, and the pool ends as it was asked. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import type { Engine } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { installedEngine } from '../support/example.ts';
import { FLAVOURS } from './flavours.ts';

const MACHINES = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Machine' };
const CLUSTER = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Cluster', namespace: 'team-a', name: 'prod' };
const POOL = { ...CLUSTER, kind: 'NodePool', name: 'prod-general' };
const REPLICAS = 4;

/** The claims of an example: one control-plane machine, and one pool of spot machines. */
function claims(flavour: string, machine: JsonObject, spec: JsonObject = {}): readonly KubeObject[] {
  return readObjects([join(ROOT, 'examples', flavour)]).flatMap((claim): readonly KubeObject[] => {
    const { name } = claim.metadata ?? {};
    const { controlPlane, ...rest } = claim.spec ?? {};
    if (claim.kind === 'Cluster')
      return [{ ...claim, spec: { ...rest, controlPlane: { ...(controlPlane as JsonObject), replicas: 1 } } }];
    if (claim.kind !== 'NodePool' || name !== POOL.name) return [];
    const template = { ...(rest['machine'] as JsonObject), capacityType: 'spot', ...machine };
    return [{ ...claim, spec: { ...rest, replicas: REPLICAS, machine: template, ...spec } }];
  });
}

const ofPool = (engine: Engine): readonly KubeObject[] =>
  engine.list(MACHINES).filter((machine) => stringAt(machine, 'spec', 'nodePoolRef', 'name') === POOL.name);
const isReady = (object: KubeObject | undefined): boolean => conditionOf(object, 'Ready')?.status === 'True';
const ready = (engine: Engine): readonly KubeObject[] => ofPool(engine).filter(isReady);
const settled = (engine: Engine): boolean =>
  isReady(engine.get(CLUSTER)) && isReady(engine.get(POOL)) && ofPool(engine).length === REPLICAS;
/** Each is replaced when its disk is another one. */
const DISK = { rootDisk: { sizeGiB: 30 } };
const hasDisk = (machine: KubeObject): boolean => at(machine.spec, 'machine', 'rootDisk', 'sizeGiB') === 30;

describe.for(FLAVOURS.filter(({ name }) => name !== 'existing'))('on $name', ({ name: flavour, machine: kind }) => {
  test('taken back in the middle of a roll-out, machines are replaced within the budget', async () => {
    const engine = installedEngine({});
    const health = { maxUnhealthy: 0 };
    for (const claim of claims(flavour, { rootDisk: { sizeGiB: 40 } }, { health })) engine.apply(claim);
    expect((await engine.runUntil(() => settled(engine), { limitSeconds: 3600 })).reached).toBe(true);
    const nodes = engine.list({ apiVersion: 'node.slipway.dev/v1alpha1', kind: 'WorkloadNode' });
    const labels = nodes.flatMap((node) => at(node.spec, 'labels', LABEL.capacityType) ?? []);
    expect(labels, 'all but that of the control plane').toEqual(Array(REPLICAS).fill('spot'));

    for (const claim of claims(flavour, DISK, { health })) engine.apply(claim);
    await engine.runUntil(() => ready(engine).some(hasDisk), { limitSeconds: engine.seconds + 1800 });
    const taken = [ready(engine).find(hasDisk), ready(engine).find((machine) => !hasDisk(machine))];
    for (const machine of taken)
      engine.terminate({ ...kind, namespace: 'team-a', name: machine?.metadata?.name ?? '' });
    const gone = new Set(taken.map((machine) => machine?.metadata?.name));
    let least = REPLICAS;
    let most = 0;
    const said = new Set<string>();
    const watch = (): boolean => {
      const mine = ofPool(engine).filter(({ metadata }) => !gone.has(metadata?.name));
      least = Math.min(least, mine.filter(isReady).length);
      most = Math.max(most, ofPool(engine).length);
      said.add(conditionOf(engine.get(POOL), 'Remediating')?.message ?? '');
      return settled(engine) && ofPool(engine).every(hasDisk);
    };
    expect((await engine.runUntil(watch, { limitSeconds: engine.seconds + 7200 })).reached).toBe(true);
    expect([...said].join('\n')).toMatch(/is a spot machine that is gone and is being replaced/);
    expect(least, 'the roll-out takes no third machine').toBeGreaterThanOrEqual(REPLICAS - 2);
    expect(most, 'maxSurge is 1').toBeLessThanOrEqual(REPLICAS + 1);
    expect(engine.snapshot().violations).toEqual([]);
  });
});
