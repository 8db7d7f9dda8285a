import { describe, expect, it } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { aMachine } from '../support/claims.ts';
import { Chance } from './chance.ts';
import { Crossplane, type Cut } from './crossplane.ts';
import { CALM } from './faults.ts';
import { newLife, shown } from './machines.ts';

const HANDS = { tick: 1, chance: new Chance(0), faults: CALM, say: () => undefined };
const machine = (name: string): KubeObject => ({ ...aMachine(), metadata: { name } });

/** Crossplane with machines it refers to, and the response it gets. */
function played(existing: readonly string[], observed: readonly string[], desired: readonly string[], cut?: Cut) {
  const crossplane = new Crossplane();
  for (const name of existing) {
    crossplane.names.add(name);
    crossplane.refs.set(name, 'slipway.dev/v1alpha1');
    crossplane.lives.set(name, newLife(machine(name), 0, new Chance(0), CALM));
  }
  const machines = observed.map((name) => shown(crossplane.lives.get(name)!, 1, String));
  const resources = new Map(desired.map((name) => [name, { resource: machine(name), ready: 'True' as const }]));
  const reply = { resources, status: {}, compositeReady: 'Unspecified' as const, ttl: 60, conditions: [], events: [] };
  const view = { pool: machine('pool'), refs: new Map(), machines, required: machines };
  return { crossplane, result: crossplane.apply(view, reply, cut, HANDS) };
}

describe('the Crossplane of the simulation', () => {
  it('deletes what is observed and not desired, and creates what is desired and does not exist', () => {
    const { result, crossplane } = played(['a', 'b'], ['a', 'b'], ['b', 'c']);
    expect(result).toMatchObject({ deleted: ['a'], created: ['c'] });
    expect([...crossplane.refs.keys()]).toEqual(['b', 'c']);
    expect(crossplane.lives.get('a')?.going).toBeGreaterThan(0);
  });

  it('forgets a machine that is neither observed nor desired, and does not delete it', () => {
    const { result, crossplane } = played(['a', 'b'], ['b'], ['b']);
    expect(result.deleted).toEqual([]);
    expect(crossplane.lives.has('a')).toBe(true);
    expect(crossplane.refs.has('a')).toBe(false);
  });

  it('finds a machine that it did not observe when it is desired by its name', () => {
    const { result, crossplane } = played(['a', 'b'], ['b'], ['a', 'b']);
    expect(result.created).toEqual([]);
    expect(crossplane.refs.has('a')).toBe(true);
  });

  it('records when a machine is created under the name of an earlier one', () => {
    const { crossplane } = played([], [], ['a']);
    crossplane.lives.delete('a');
    const reply = { status: {}, compositeReady: 'Unspecified' as const, ttl: 60, conditions: [], events: [] };
    const resources = new Map([['a', { resource: machine('a'), ready: 'True' as const }]]);
    crossplane.apply(
      { pool: machine('pool'), refs: new Map(), machines: [], required: [] },
      { ...reply, resources },
      undefined,
      HANDS,
    );
    expect(crossplane.twice).toEqual(['a']);
  });

  it.each([
    { cut: 'before it did anything', deleted: [], created: [], refs: ['a', 'b'] },
    { cut: 'after the deletions', deleted: ['a'], created: [], refs: ['a', 'b'] },
    { cut: 'before it applied anything', deleted: ['a'], created: [], refs: ['c', 'd'] },
    { cut: 'half-way through', deleted: ['a'], created: ['c'], refs: ['c', 'd'] },
    { cut: 'before the status', deleted: ['a'], created: ['c', 'd'], refs: ['c', 'd'] },
  ] as const)('may stop $cut', ({ cut, deleted, created, refs }) => {
    const { result, crossplane } = played(['a', 'b'], ['a'], ['c', 'd'], cut);
    expect(result).toMatchObject({ deleted, created });
    expect([...crossplane.refs.keys()]).toEqual(refs);
  });
});
