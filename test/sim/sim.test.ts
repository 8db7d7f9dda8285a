/**
 * Roll-outs in a small simulation. Logs without failures are golden files in golden/; invariants under failures are
 * checked after every step. `npm run sim` tries many more seeds.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Chance } from './chance.ts';
import { CALM, type Faults, randomFaults } from './faults.ts';
import { AWS, FLAVOURS } from './flavours.ts';
import { calm, runCase, runScenario } from './run.ts';
import { SCENARIOS } from './scenarios.ts';
import { type Case, HEALTH } from './scenarios/scenario.ts';

const SEEDS = 10;
/** Of generated edits: the same in every run. */
const SEED = 1;
const CASES = SCENARIOS.flatMap(({ cases }) => cases);

describe('a roll-out without failures', () => {
  test.for(CASES.filter(({ golden }) => golden === true).map((one) => [one.name, one] as const))(
    'goes as recorded in golden/: %s',
    async ([name, one]) => {
      const { log, broken, steps } = await calm(one);
      expect(broken, log.join('\n')).toBeUndefined();
      const end = one.hours === undefined ? 'nothing is left to do' : `after ${one.hours} hours`;
      const text = [...log, `${String(steps).padStart(3)}  ${end}`, ''].join('\n');
      await expect(text).toMatchFileSnapshot(`golden/${name.replaceAll(/[^a-z0-9]+/g, '-')}.txt`);
    },
  );

  test.for(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    'keeps its budgets and completes: %s',
    async ([, { cases }]) => {
      const failed: string[] = [];
      for (const one of cases.filter(({ golden }) => golden !== true)) {
        const { broken } = await calm(one);
        if (broken !== undefined) failed.push(`${one.name}: ${broken}`);
      }
      expect(failed).toEqual([]);
    },
  );
});

describe('a roll-out in which machines fail, calls are lost and caches lag', () => {
  test.for(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    'keeps its budgets and completes: %s',
    async ([name, scenario]) => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const { broken } = await runScenario(scenario, seed);
        expect(broken, `again: npm run sim -- --scenario '${name}' --seed ${seed}`).toBeUndefined();
      }
    },
  );

  test.for(FLAVOURS.filter((one) => one !== AWS).map((flavour) => [flavour.name, flavour] as const))(
    'keeps its budgets and completes with the rules and zones of %s',
    async ([name, flavour]) => {
      for (const scenario of SCENARIOS) {
        const { broken } = await runScenario(scenario, SEED, flavour);
        const again = `npm run sim -- --flavor ${name} --scenario '${scenario.name}' --seed ${SEED}`;
        expect(broken, `again: ${again}`).toBeUndefined();
      }
    },
  );

  it.each([
    ['worker', fc.integer({ min: 0, max: 6 }), aBudget()],
    ['control-plane', fc.constantFrom(1, 3, 5, 7), fc.constant({ maxSurge: 1, maxUnavailable: 0 })],
  ] as const)('does so for any edits in any order on a %s pool', async (role, sizes, budgets) => {
    const edits = fc.array(fc.record({ at: fc.integer({ min: 1, max: 6 }), spec: anEdit(sizes) }), { maxLength: 6 });
    const faults = fc.constantFrom('none', 'slow machines', 'many');
    await fc.assert(
      fc.asyncProperty(sizes, edits, budgets, faults, fc.nat(), async (replicas, list, update, kind, seed) => {
        const one = edited({ role, replicas, update, health: HEALTH }, list);
        const chance = new Chance(seed);
        const { broken, log } = await runCase(one, seed, chance, faultsOf(kind, chance));
        expect(broken, log.join('\n')).toBeUndefined();
      }),
      { numRuns: 150, seed: SEED },
    );
  });
});

function faultsOf(kind: string, chance: Chance): Faults {
  if (kind === 'many') return randomFaults(chance);
  return kind === 'none' ? CALM : { ...CALM, slow: 0.7 };
}

function anEdit(sizes: fc.Arbitrary<number>): fc.Arbitrary<Case['spec']> {
  const image = fc.constantFrom('ubuntu-26.04', 'ubuntu-26.10');
  return fc.oneof(
    fc.record({ replicas: sizes }),
    fc.record({ machine: fc.record({ class: fc.constantFrom('standard-4', 'standard-8', 'standard-16') }) }),
    fc.record({ machine: fc.record({ class: fc.constantFrom('standard-4', 'standard-8'), image }) }),
    fc.record({ labels: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')) }),
    fc.record({ taints: fc.constantFrom([], [{ key: 'maintenance', effect: 'NoExecute' }]) }),
    fc.record({ provisioning: fc.constantFrom({}, { sysctls: { 'vm.swappiness': '10' } }) }),
    fc.record({ version: fc.constantFrom('v1.35.4', 'v1.35.3') }),
  );
}

function aBudget(): fc.Arbitrary<Case['spec']> {
  const few = fc.integer({ min: 0, max: 3 });
  const numbers = fc.record({ maxSurge: few, maxUnavailable: few });
  const shares = fc.constantFrom<Case['spec']>(
    { maxSurge: '50%', maxUnavailable: '50%' },
    { maxSurge: '25%', maxUnavailable: '0%' },
  );
  return fc.oneof(
    numbers.filter(({ maxSurge, maxUnavailable }) => maxSurge + maxUnavailable > 0),
    shares,
  );
}

/** A control plane has the version of its Cluster. */
function ofCluster(
  { role }: Case['spec'],
  { version, ...spec }: Case['spec'],
): Pick<Case['edits'][number], 'spec' | 'version'> {
  if (typeof version !== 'string') return { spec };
  return role === 'control-plane' ? { spec, version } : { spec: { ...spec, version } };
}

/** One edit after the other; at the end the machines match the last edit of each field. */
function edited(spec: Case['spec'], list: readonly { readonly at: number; readonly spec: Case['spec'] }[]): Case {
  let at = 0;
  const edits = list.map((edit) => ({ ...ofCluster(spec, edit.spec), at: (at += edit.at) }));
  return { name: 'edited', spec, edits: edits.length === 0 ? [{ at: 1 }] : edits };
}
