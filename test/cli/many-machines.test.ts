/** What a terminal shows of a simulation with more machines than it has lines. */
import { expect, test } from 'vitest';
import type { CompositeFacts } from '#simulator/engine.ts';
import { treeLines } from '../../cli/simulate/tree.ts';
import { LiveRegion } from '../../cli/terminal/live.ts';

const style = (_tone: string, text: string): string => text;
const API = { apiVersion: 'slipway.dev/v1alpha1', namespace: 'team-a' } as const;

function xr(kind: string, name: string, more: Partial<CompositeFacts> = {}): CompositeFacts {
  const states = { ready: true, synced: true, paused: false, deleting: false };
  return { ...API, kind, name, ...states, conditions: [], composed: [], ...more };
}

const parent = { ...API, kind: 'NodePool', name: 'many' };

test('of many machines their number is shown, and those with a problem', () => {
  const machines = Array.from({ length: 1000 }, (_, i) => xr('Machine', `many-${i}`, { parent, ready: i < 250 }));
  const broken = xr('Machine', 'many-broken', { parent, ready: false, synced: false });
  const composites = [xr('NodePool', 'many', { ready: false }), ...machines, broken, xr('NodePool', 'other')];
  expect(treeLines({ composites }, { style, mostChildren: 5 }).map((line) => line.trimEnd())).toEqual([
    'NodePool many                              not ready',
    '├─ ████░░░░░░░░░░░░░░░░ 250/1001 Machines  not ready',
    '└─ Machine many-broken                     not synced',
    'NodePool other                             ready',
  ]);
});

test('a few machines are shown one by one', () => {
  const composites = [xr('NodePool', 'many'), xr('Machine', 'many-0', { parent }), xr('Machine', 'many-1', { parent })];
  expect(treeLines({ composites }, { style, mostChildren: 5 })).toHaveLength(3);
});

test('frames that take long are drawn less often, so that the simulation goes on', () => {
  let now = 0;
  let frames = 0;
  const region = new LiveRegion({ write: () => undefined }, () => now);
  const draw = (): void =>
    region.draw(() => {
      frames += 1;
      now += 500;
      return ['a line'];
    });
  draw();
  now += 4400;
  draw();
  expect(frames).toBe(1);
  now += 200;
  draw();
  expect(frames).toBe(2);
});
