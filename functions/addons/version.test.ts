/** A version that a default add-on does not have is noted at the claim, before the control plane has it. */
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { call, NETWORK } from './addons.fixture.ts';

const input = { defaults: [NETWORK] };
const status = { addons: { defaults: 'Installed' } };
const facts = (version: string): Readonly<Record<string, KubeObject>> => ({
  facts: {
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'ClusterFacts',
    metadata: { name: 'prod', namespace: 'team-a' },
    spec: { accepted: { version } },
  },
});
const notesOf = ({ events }: ReplyData) =>
  events.filter(({ reason }) => reason === 'InfrastructureNote').map(({ message }) => message);
const NOTE =
  'AddOnsInput of the Composition has no version of add-on network for Kubernetes 1.37, so that workers would not get it; there are: 1.34, 1.35, 1.36';

test.for([
  { what: 'a new Cluster', parts: { stage: 'None' }, notes: [NOTE] },
  { what: 'an edit', parts: { observed: facts('v1.36.1') }, notes: [NOTE] },
  { what: 'a version that was accepted before, once said', parts: { observed: facts('v1.37.0') }, notes: [] },
  {
    what: 'a Cluster that skips the add-on',
    parts: { addons: [{ name: 'network', default: 'Skip' }] },
    notes: [],
  },
] as const)('$what', async ({ parts, notes }) => {
  const reply = await call({ addons: [], input, status, spec: { version: 'v1.37.0' }, ...parts });
  expect(notesOf(reply)).toEqual(notes);
});
