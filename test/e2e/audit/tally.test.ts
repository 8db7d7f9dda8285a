import { expect, test } from 'vitest';
import type { Request } from './log.ts';
import { requestsOf } from './tally.ts';

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
  expect(requestsOf('team-a', management, [])).toEqual({ provider: 0, workload: 0, crossplane: 1 });
});

test('in a workload cluster only the user of its kubeconfig counts, and not its machines', () => {
  expect(requestsOf('team-a', [], [asked('kubernetes-admin', 'patch'), asked('machines', 'patch')]).workload).toBe(1);
});
