/** The reconciler against small in-process functions: the order of things, and what must not happen. */
import { describe, expect, test } from 'vitest';
import { at } from '#lib/api/json.ts';
import { createEngine } from '../engine.ts';
import {
  type Decision,
  FakeFunctions,
  aComposition,
  aConfigMap,
  anXr,
  anXrd,
  conditionText,
  want,
} from '../fake-functions.fixture.ts';

const START = new Date('2026-01-01T00:00:00Z');
const XR = { apiVersion: 'example.org/v1', kind: 'App', namespace: 'team-a', name: 'one' };
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team-a', name });

function anEngine(decisions: Readonly<Record<string, Decision>>) {
  const functions = new FakeFunctions(decisions);
  const engine = createEngine({ start: START, seed: 1, functions: functions.caller });
  engine.load([anXrd('App'), aComposition('App', ...Object.keys(decisions))]);
  return { engine, functions };
}

async function settle(engine: ReturnType<typeof createEngine>, seconds = 60): Promise<void> {
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });
}

describe('an XR', () => {
  test('is brought to Ready with names, labels and owners as Crossplane gives them', async () => {
    const { engine } = anEngine({
      compose: () => ({
        resources: { named: want(aConfigMap('mine', { a: '1' })), unnamed: want(aConfigMap(undefined)) },
        status: { said: 'hello' },
      }),
    });
    engine.apply(anXr('App', 'one'));
    await settle(engine);

    const xr = engine.get(XR);
    expect(conditionText(xr, 'Ready')).toBe('True Available');
    expect(conditionText(xr, 'Synced')).toBe('True ReconcileSuccess');
    expect(at(xr, 'status', 'said')).toBe('hello');
    expect(at(xr, 'spec', 'crossplane')).toMatchObject({
      compositionRef: { name: 'app' },
      resourceRefs: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'mine' }, { kind: 'ConfigMap' }],
    });
    const made = engine.get(configMap('mine'));
    expect(made?.metadata).toMatchObject({
      labels: { 'crossplane.io/composite': 'one' },
      annotations: { 'crossplane.io/composition-resource-name': 'named' },
      ownerReferences: [{ kind: 'App', name: 'one', controller: true, blockOwnerDeletion: true }],
    });
    const names = engine.list({ apiVersion: 'v1', kind: 'ConfigMap' }).map(({ metadata }) => metadata?.name);
    expect(names).toHaveLength(2);
    expect(names.find((name) => name !== 'mine')).toMatch(/^one-[0-9a-f]{12}$/);
  });

  test('keeps the name of what exists, whatever name its function desires later', async () => {
    const { engine } = anEngine({
      compose: ({ observed }) => ({
        resources: { cm: want(aConfigMap(observed.resources.size === 0 ? 'first' : 'other')) },
      }),
    });
    engine.apply(anXr('App', 'one'));
    await settle(engine);
    expect(engine.list({ apiVersion: 'v1', kind: 'ConfigMap' }).map(({ metadata }) => metadata?.name)).toEqual([
      'first',
    ]);
  });
});
