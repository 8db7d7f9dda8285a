/**
 * Roll-outs in a small world. What happens when nothing goes wrong is told, step by step, in golden/; what must hold when
 * things do go wrong is checked after every step. `npm run sim` tries many more seeds.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { calm, runScenario } from './run.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

const SEEDS = 10;

describe('a roll-out in which nothing goes wrong', () => {
  test.for(SCENARIOS.map((scenario) => ({ name: scenario.name, scenario })))('$name', async ({ name, scenario }) => {
    const { log, broken, steps } = await calm(scenario);
    expect(broken).toBeUndefined();
    const text = [...log, `${String(steps).padStart(3)}  nothing is left to do`, ''].join('\n');
    await expect(text).toMatchFileSnapshot(`golden/${name.replaceAll(/[^a-z]+/g, '-')}.txt`);
  });
});

describe('a roll-out in which machines fail, calls are lost and caches lag', () => {
  test.for(SCENARIOS.map((scenario) => ({ name: scenario.name, scenario })))(
    'keeps its budgets and comes to its end: $name',
    async ({ name, scenario }) => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const { broken } = await runScenario(scenario, seed);
        expect(broken, `again: npm run sim -- --scenario '${name}' --seed ${seed}`).toBeUndefined();
      }
    },
  );

  it('keeps them and ends whatever is edited, in whatever order', async () => {
    const edits = fc.array(fc.record({ at: fc.integer({ min: 1, max: 6 }), spec: anEdit() }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(edits, aBudget(), fc.nat(), async (list, update, seed) => {
        const { broken, log } = await runScenario(edited(list, update), seed);
        expect(broken, log.join('\n')).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });
});

function anEdit(): fc.Arbitrary<NonNullable<Scenario['edits'][number]['spec']>> {
  return fc.oneof(
    fc.record({ replicas: fc.integer({ min: 1, max: 5 }) }),
    fc.record({
      machine: fc.constantFrom(
        { class: 'standard-4' },
        { class: 'standard-8' },
        { class: 'standard-4', image: 'ubuntu-26.04' },
      ),
    }),
    fc.record({ labels: fc.constantFrom({}, { team: 'a' }) }),
    fc.record({ taints: fc.constantFrom([], [{ key: 'maintenance', effect: 'NoExecute' }]) }),
    fc.record({ provisioning: fc.constantFrom({}, { sysctls: { 'vm.swappiness': '10' } }) }),
  );
}

function aBudget(): fc.Arbitrary<NonNullable<Scenario['spec']['update']>> {
  return fc.constantFrom(
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 1 },
    { maxSurge: '50%', maxUnavailable: '50%' },
    { maxSurge: 2, maxUnavailable: 2 },
  );
}

/** One edit after the other; at the end the machines are what the last edit of each field says. */
function edited(
  list: readonly { readonly at: number; readonly spec: object }[],
  update: Scenario['spec'][string],
): Scenario {
  let at = 0;
  const edits = list.map((edit) => ({ spec: edit.spec as Scenario['spec'], at: (at += edit.at) }));
  const {
    replicas: _replicas,
    provisioning: _provisioning,
    ...ends
  } = Object.assign({}, ...list.map(({ spec }) => spec)) as Scenario['spec'];
  return { name: 'edited', spec: { replicas: 3, update }, edits, ends };
}
