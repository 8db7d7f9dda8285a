import { expect, test } from 'vitest';
import type { Request } from './log.ts';
import { crossplaneKinds, kindsOf, requestsOf } from './tally.ts';

const PROVIDER = 'system:serviceaccount:crossplane-system:slipway-provider-node-1a2b3c';
const CROSSPLANE = 'system:serviceaccount:crossplane-system:crossplane';

function asked(username: string, verb: string, stage = 'ResponseComplete', namespace = 'team-a'): Request {
  return { verb, stage, user: { username }, objectRef: { namespace }, stageTimestamp: '2026-01-01T00:00:00.000000Z' };
}

test('a watch counts once, when it begins', () => {
  const management = [asked(PROVIDER, 'watch', 'ResponseStarted'), asked(PROVIDER, 'watch'), asked(PROVIDER, 'get')];
  expect(requestsOf('team-a', management, []).provider).toBe(2);
});

test('what Crossplane asks for elsewhere, such as packages, is left out', () => {
  const management = [asked(CROSSPLANE, 'get'), asked(CROSSPLANE, 'get', 'ResponseComplete', 'crossplane-system')];
  expect(requestsOf('team-a', management, [])).toEqual({
    provider: 0,
    workload: 0,
    lease: 0,
    functions: 0,
    crossplane: 1,
  });
});

test('in a workload cluster only the user of its kubeconfig counts, and not its machines', () => {
  expect(requestsOf('team-a', [], [asked('kubernetes-admin', 'patch'), asked('machines', 'patch')]).workload).toBe(1);
});

test('what a lease costs is counted apart, because it depends on time and not on machines', () => {
  const lease = { ...asked(PROVIDER, 'patch'), objectRef: { resource: 'leases' } };
  expect(requestsOf('team-a', [lease, asked(PROVIDER, 'get')], [])).toMatchObject({ provider: 1, lease: 1 });
});

test('each kind of request is counted, most first', () => {
  const status = { ...asked(PROVIDER, 'update'), objectRef: { resource: 'workloadnodes', subresource: 'status' } };
  const node = { ...asked('kubernetes-admin', 'patch'), objectRef: { resource: 'nodes' } };
  expect(kindsOf([status, status, asked(CROSSPLANE, 'get')], [node])).toEqual([
    'update workloadnodes/status 2',
    'patch nodes 1',
  ]);
  expect(crossplaneKinds('team-a', [status, asked(CROSSPLANE, 'get')])).toEqual(['get  1']);
});
