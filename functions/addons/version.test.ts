/** A version that a default add-on does not have is refused at the claim, before the control plane has it. */
import { expect, test } from 'vitest';
import { call, NETWORK, addOnsReady } from './addons.fixture.ts';

const input = { defaults: [NETWORK] };
const installed = { addons: { defaults: 'Installed' } };
const facts = (version: string) => ({
  facts: {
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'ClusterFacts',
    metadata: { name: 'prod', namespace: 'team-a' },
    spec: { accepted: { version } },
  },
});

test.for([
  { what: 'a new Cluster', parts: { stage: 'None' } },
  { what: 'an edit', parts: { observed: facts('v1.36.1') } },
  { what: 'an edit of a Cluster without facts', parts: { version: 'v1.36.1' } },
] as const)('$what to a version that no add-on is for is refused, with what would be accepted', async ({ parts }) => {
  const asked = call({ addons: [], input, status: installed, spec: { version: 'v1.37.0' }, ...parts });
  await expect(asked).rejects.toThrow(
    'spec.version: "v1.37.0" is not accepted; accepted: 1.34, 1.35, 1.36, for which AddOnsInput of the Composition has the add-on network; or spec.addons: [{name: network, default: Skip}]',
  );
});

test('a version that was accepted stays, whatever the platform takes out later: the add-on says it', async () => {
  const spec = { version: 'v1.37.0' };
  const reply = await call({
    addons: [],
    input,
    status: installed,
    spec,
    observed: facts('v1.37.0'),
    version: 'v1.37.0',
  });
  expect(addOnsReady(reply)?.message).toContain('has no version of it for Kubernetes 1.37');
});

test('a Cluster that skips the add-on has any version', async () => {
  const addons = [{ name: 'network', default: 'Skip' }];
  await expect(call({ addons, input, status: installed, spec: { version: 'v1.37.0' } })).resolves.toBeDefined();
});
