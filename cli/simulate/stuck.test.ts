/** A simulation ends early only if nothing that is still under way could make it Ready. */
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { FIRST_BOOT, type Happening, type ObjectRef } from '#simulator/engine.ts';
import { watchStuck } from './stuck.ts';

type Listener = (happening: Happening) => void;

const ref = (name: string): ObjectRef => ({ apiVersion: 'ec2.example.org/v1', kind: 'Instance', namespace: 'a', name });
const CHANGE = 1000;

/** Tells what happens to machines; a second one that refuses its data as one before is the last thing that it tells. */
function told(machines: readonly { readonly made: number; readonly boots: number }[], cluster?: KubeObject): boolean {
  let tell: Listener = () => {};
  const present = new Set<string>();
  const engine = {
    seconds: 0,
    subscribe: (listener: Listener) => ((tell = listener), () => {}),
    get: ({ name }: ObjectRef) => (present.has(name) ? ({ apiVersion: 'v1', kind: 'Any' } as KubeObject) : undefined),
    list: ({ kind }: { readonly kind: string }) => (kind === 'Cluster' && cluster !== undefined ? [cluster] : []),
  };
  const stuck = watchStuck(engine, CHANGE);
  for (const [index, { made, boots }] of machines.entries()) {
    const machine = ref(`machine-${index}`);
    present.clear();
    present.add(machine.name);
    tell({ type: 'object', at: made, change: 'created', ref: machine });
    engine.seconds = boots;
    const facts = { severity: 'Warning', reason: FIRST_BOOT.refused, message: 'no such disk', count: 1 } as const;
    tell({ type: 'event', at: boots, event: { ...facts, ref: machine, first: boots, last: boots } });
  }
  return stuck.isStuck();
}

const at = (spec: string, runs: string): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Cluster',
  spec: { version: spec },
  status: { controlPlane: { version: runs } },
});
const before = { made: 10, boots: 60 };

describe('a machine that refuses its data as the one that it replaces did', () => {
  test('ends a simulation if it was created after the last change', () => {
    expect(told([before, { made: CHANGE + 10, boots: CHANGE + 60 }])).toBe(true);
  });

  test('says nothing if it was created before: the change may have mended it', () => {
    expect(told([before, { made: CHANGE - 10, boots: CHANGE + 60 }])).toBe(false);
  });

  test('says nothing while its pool is to follow the control plane to another version', () => {
    const after = { made: CHANGE + 10, boots: CHANGE + 60 };
    expect(told([before, after], at('v1.36.0', 'v1.35.4'))).toBe(false);
    expect(told([before, after], at('v1.36.0', 'v1.36.0'))).toBe(true);
  });
});
