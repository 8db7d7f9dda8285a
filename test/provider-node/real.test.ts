/** The controller does what every implementation of WorkloadNodes has to do. */
import { expect, test } from 'vitest';
import { describeProviderNode } from './conformance.ts';
import { realPlayer, rightsUsed } from './real-player.ts';
import { GRANTED, inWorkloadClusters, isGranted } from './rights.ts';

describeProviderNode(realPlayer);

test('all of that needs no right in the management cluster but those that Crossplane gives every provider', () => {
  const used = rightsUsed('management');
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((right) => !isGranted(right, GRANTED))).toEqual([]);
});

test('all of that needs no right in a workload cluster but those of docs/install/workload-cluster.yaml', () => {
  const used = rightsUsed('workload');
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((right) => !isGranted(right, inWorkloadClusters()))).toEqual([]);
});
