/** Whoever runs a workload cluster may define kinds there, and have a webhook of their own convert each object that is read. */
import { expect, test } from 'vitest';
import { inWorkloadClusters } from './rights.ts';

/** Groups that the API server serves itself, without definitions or webhooks. */
const BUILT_IN: ReadonlySet<string> = new Set(['', 'apps', 'certificates.k8s.io', 'storage.k8s.io']);

test('of a workload cluster only kinds are read that no webhook converts, but for the members of k0s', () => {
  const defined = inWorkloadClusters().filter(({ apiGroups }) => apiGroups.some((group) => !BUILT_IN.has(group)));
  expect(defined.flatMap(({ apiGroups, resources }) => [...apiGroups, ...resources])).toEqual([
    'etcd.k0sproject.io',
    'etcdmembers',
    'autopilot.k0sproject.io',
    'controlnodes',
  ]);
});
