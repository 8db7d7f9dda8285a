/** Objects that were meant for Slipway or for Crossplane, with a typing error. */
import { expect, test } from 'vitest';
import { API_VERSION, INPUT_API_VERSION } from '#lib/api/words.ts';
import { misspelt } from './misspelt.ts';

test.for([
  { apiVersion: 'slipway.dve/v1alpha1', kind: 'Cluster', accepted: API_VERSION },
  { apiVersion: 'fn.slipway.dve/v1alpha1', kind: 'NodePoolInput', accepted: INPUT_API_VERSION },
  { apiVersion: 'apiextensions.crosplane.io/v1', kind: 'Composition', accepted: 'apiextensions.crossplane.io/v1, ' },
])('$apiVersion is refused with the versions that its group has', ({ apiVersion, kind, accepted }) => {
  const { field, reason } = misspelt({ apiVersion, kind }) ?? {};
  expect(field).toBe('apiVersion');
  expect(reason).toContain(`"${apiVersion}" is not accepted; accepted: ${accepted}`);
});

test.for([
  { apiVersion: INPUT_API_VERSION, kind: 'NodePoolInput' },
  { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Cluster' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
])('$kind of $apiVersion is left alone', (object) => {
  expect(misspelt(object)).toBeUndefined();
});

test.for(['MachineDeployment', 'MachinePool', 'NodeGroup'])(
  '%s, a kind of others under our apiVersion, is told ours',
  (kind) => {
    expect(misspelt({ apiVersion: API_VERSION, kind })).toEqual({
      isClaim: true,
      field: 'kind',
      reason: `"${kind}" is not accepted; accepted: Cluster, NodePool; did you mean "NodePool"?`,
    });
  },
);
