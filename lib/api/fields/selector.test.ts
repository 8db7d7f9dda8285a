import { expect, test } from 'vitest';
import { LabelSelector, selects } from './selector.ts';

const labels = { app: 'web', tier: 'front' };

test.for([
  [{}, true],
  [{ matchLabels: { app: 'web' } }, true],
  [{ matchLabels: { app: 'web', tier: 'back' } }, false],
  [{ matchLabels: { constructor: 'web' } }, false],
  [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] }, true],
  [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }, false],
  [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
  [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }, true],
  [{ matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
  [{ matchExpressions: [{ key: 'toString', operator: 'Exists' }] }, false],
  [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
] as const)('%j selects what Kubernetes would select with it: %s', ([selector, wanted]) => {
  expect(selects(LabelSelector.parse(selector), labels)).toBe(wanted);
});

test.for([
  { key: 'app', operator: 'In' },
  { key: 'app', operator: 'Exists', values: ['web'] },
])('%j is refused, because it selects nothing that anybody could mean', (requirement) => {
  expect(LabelSelector.safeParse({ matchExpressions: [requirement] }).error?.issues[0]?.message).toMatch(
    /must have values for In and NotIn/,
  );
});
