/**
 * One claim for every pair of bootstrapper and provisioner, on the simulated cloud: it becomes a cluster with Ready
 * nodes, official readers accept the data its machines booted from, and no secret is readable outside Secrets.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { inProcess } from '../support/in-process.ts';
import { compositionsWith } from '../support/platform.ts';
import { claimOf } from './claim.ts';
import { JUDGES } from './judges.ts';
import { NOT_SIMULATED, PAIRS } from './pairs.ts';
import { firstBootDataOf, machinesOf, simulate, type Simulation } from './simulation.ts';

const [elsewhere, simulated] = [true, false].map((is) =>
  PAIRS.filter(({ provider }) => Object.hasOwn(NOT_SIMULATED, provider) === is),
);
for (const { name, provider } of elsewhere!)
  process.stdout.write(`skipped: a simulated cluster of ${name}: ${NOT_SIMULATED[provider]}\n`);

/** The only other place, which the platform allows and the Machine reports, for a format that AWS cannot hand over. */
/** The provider fills in forProvider what initProvider has. */
const USER_DATA = ['initProvider', 'forProvider'].map((part) => `Instance.spec.${part}.userDataBase64`);

/** Formats that can fetch generated data. */
const HANDED_OVER: ReadonlySet<string> = new Set(['cloud-init', 'ignition']);

const isTrue = (object: KubeObject | undefined, type: string): boolean => conditionOf(object, type)?.status === 'True';

describe.for(simulated!)('$name', (pair) => {
  let simulation: Simulation;
  beforeAll(async () => {
    simulation = await simulate(claimOf(pair), inProcess, compositionsWith({ allowInClear: [pair.format] }));
  });

  test('every machine becomes a Ready node in one cluster', () => {
    const { engine, ready } = simulation;
    const machines = machinesOf(simulation);
    expect(ready, JSON.stringify(engine.snapshot().timeline.slice(-3))).toBe(true);
    expect(machines.map((one) => stringAt(one, 'spec', 'role') ?? '').toSorted()).toEqual([
      'control-plane',
      'control-plane',
      'control-plane',
      'worker',
    ]);
    for (const machine of machines) {
      const { name = '', namespace = '' } = machine.metadata ?? {};
      const node = engine.get({ apiVersion: 'node.slipway.dev/v1alpha1', kind: 'WorkloadNode', namespace, name });
      expect(stringAt(machine, 'status', 'nodeRef', 'name'), name).toBe(name);
      expect([isTrue(machine, 'Ready'), isTrue(node, 'Ready')], name).toEqual([true, true]);
    }
    expect(engine.snapshot()).toMatchObject({ violations: [], counters: { machinesBooted: 4, nodesJoined: 4 } });
  });

  const readers = JUDGES.filter(({ reads, slow }) => reads === pair.format && slow !== true);
  for (const judge of readers) {
    if (judge.missing !== undefined) process.stdout.write(`skipped: ${pair.name}: ${judge.name}: ${judge.missing}\n`);
    test.skipIf(judge.missing !== undefined)(`its machines booted from data that ${judge.name} accepts`, () => {
      const data = firstBootDataOf(simulation);
      expect(data.map(({ of }) => of).toSorted()).toEqual(['control-plane', 'init', 'worker']);
      expect(judge.verdict(data).filter(({ problem }) => problem !== undefined)).toEqual([]);
    });
  }

  test('only Secrets contain a secret, and user data only where the Machine says so', () => {
    const { sightings } = simulation;
    const inUserData = machinesOf(simulation).every((machine) =>
      conditionOf(machine, 'InfrastructureReady')?.message?.includes('is unencrypted in user data'),
    );
    expect(inUserData, 'AWS hands the others over').toBe(!HANDED_OVER.has(pair.format));
    expect(sightings.secrets.size).toBeGreaterThan(4);
    const places = sightings.leaks.map((leak) => leak.slice(0, leak.indexOf(':')));
    expect([...new Set(places)].toSorted()).toEqual(inUserData ? USER_DATA.toSorted() : []);
  });
});

test('the list of what is not simulated is correct', () => {
  const providers = new Set(PAIRS.map(({ provider }) => provider));
  expect(Object.keys(NOT_SIMULATED).filter((provider) => !providers.has(provider))).toEqual([]);
});
