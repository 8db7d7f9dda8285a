/** How a report is written. */
import { expect, test } from 'vitest';
import { falseCondition, trueCondition } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { withReport } from './status.ts';

const NOW = Date.parse('2026-01-01T00:00:10.900Z');
const BEFORE = '2026-01-01T00:00:00Z';
const ready = { type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: BEFORE, observedGeneration: 1 };
const object: KubeObject = {
  apiVersion: 'v1',
  kind: 'X',
  metadata: { generation: 1 },
  status: { nodeRef: { name: 'a' }, drain: { startedAt: BEFORE }, conditions: [ready] },
};

test('null removes a key, other keys and conditions stay, and times have whole seconds', () => {
  const report = { status: { drain: null, started: true }, conditions: [falseCondition('Drained', 'Draining', 'why')] };
  const drained = { type: 'Drained', status: 'False', reason: 'Draining', message: 'why', observedGeneration: 1 };
  expect(withReport(object, report, NOW).status).toEqual({
    nodeRef: { name: 'a' },
    started: true,
    conditions: [ready, { ...drained, lastTransitionTime: '2026-01-01T00:00:10Z' }],
  });
});

test('a condition whose matter is over is removed', () => {
  expect(withReport(object, { status: {}, conditions: [], without: ['Drained'] }, NOW)).toBe(object);
  const report = { status: {}, conditions: [], without: ['Ready'] as const };
  expect(withReport(object, report, NOW).status).not.toHaveProperty('conditions');
});

test('the time of a condition changes with its status, and not with its message or generation', () => {
  const conditions = [{ ...trueCondition('Ready', 'Other'), message: 'why' }];
  const later = withReport({ ...object, metadata: { generation: 2 } }, { status: {}, conditions }, NOW);
  expect(later.status?.['conditions']).toEqual([{ ...ready, reason: 'Other', message: 'why', observedGeneration: 2 }]);
});

test('what is known already is not written', () => {
  const report = { status: { nodeRef: { name: 'a' } }, conditions: [trueCondition('Ready', 'Available')] };
  expect(withReport(object, report, NOW)).toBe(object);
});
