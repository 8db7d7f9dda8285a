/** What the API server refuses of a WorkloadNode. */
import { expect, test } from 'vitest';
import { validateManaged } from '../../../test/support/crds.ts';

function linesOf(join: object): readonly string[] {
  const secretRef = { name: 'prod-worker-0-join', key: 'token' };
  return validateManaged({
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'WorkloadNode',
    metadata: { name: 'prod-worker-0', namespace: 'team-a' },
    spec: {
      providerConfigRef: { kind: 'ProviderConfig', name: 'prod' },
      clusterRef: { name: 'prod' },
      node: { name: 'prod-worker-0' },
      join: { secretRef, ...join },
    },
  });
}

test('a token that k8sd makes cannot be asked for without what lets in', () => {
  const asked = { kind: 'CanonicalKubernetesWorker' };
  expect(linesOf(asked)).toEqual(['spec.join: authSecretRef is required by this kind, for k8sd has to be asked']);
  expect(linesOf({ ...asked, authSecretRef: { name: 'prod-capi-auth-token' } })).toEqual([]);
  expect(linesOf({ kind: 'Kubeadm' })).toEqual([]);
});
