/** What a tree of XRs says of those that are not ready. */
import { expect, test } from 'vitest';
import type { CompositeFacts } from '#simulator/engine.ts';
import { treeLines } from './tree.ts';

const REFUSAL = 'cannot accept Machine "team-a/cp-0": spec.os: "windows" is not accepted; accepted: linux';
const HEAD = 'Machine cp-0: cannot compose resources: pipeline step "machine" returned a fatal result: ';
const pool = (message: string): CompositeFacts => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'NodePool',
  name: 'cp',
  ready: false,
  synced: true,
  deleting: false,
  paused: false,
  conditions: [{ type: 'Ready', status: 'False', reason: 'Creating', message }],
  composed: [],
});

test.for([
  {
    name: 'a part of it',
    message: `${HEAD}${REFUSAL}; 2 still to be created`,
    shown: 'Machine cp-0: …; 2 still to be created',
  },
  { name: 'its end', message: `${HEAD}${REFUSAL}`, shown: '' },
  { name: 'nothing of it', message: 'waiting for Cluster prod', shown: 'waiting for Cluster prod' },
])('what is said elsewhere is not said again: $name', ({ message, shown }) => {
  const [line = ''] = treeLines({ composites: [pool(message)] }, { style: (_tone, text) => text, said: [REFUSAL] });
  expect(line.split('not ready')[1]?.trim()).toBe(shown);
});
