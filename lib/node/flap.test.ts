/** A Node that is not ready is reported at once only if it stays so, whatever the clock of its machine says. */
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { flapEnds } from './flap.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const object: KubeObject = {
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind: 'WorkloadNode',
  metadata: { name: 'a' },
  status: { conditions: [{ type: 'NodeHealthy', status: 'True' }] },
};

test.for([
  { since: '2026-01-01T11:59:50Z', left: 20, why: 'a moment ago' },
  { since: '2026-01-01T11:59:29Z', left: undefined, why: 'for too long' },
  { since: '2026-01-01T12:00:05Z', left: 25, why: 'by a clock that is a little ahead' },
  { since: '2026-01-01T13:00:00Z', left: undefined, why: 'by a clock that is an hour ahead' },
])('not ready $why', ({ since, left }) => {
  const node: KubeObject = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'a' },
    status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: since }] },
  };
  expect(flapEnds({ object, now: NOW }, node)).toBe(left);
});
