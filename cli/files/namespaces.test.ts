import { describe, expect, it } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { inNamespace, onlyIn } from './namespaces.ts';

function given(object: KubeObject): readonly (string | undefined)[] {
  const place = { file: 'a.yaml', line: 1 };
  const placed = [{ object, nth: 0, place, placeOf: () => place, sourceOf: () => undefined }];
  return inNamespace(placed, onlyIn('team-x'), 'validate').map((one) => one.object.metadata?.namespace);
}

const object = (apiVersion: string, kind: string, namespace?: string | null): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'a', ...(namespace === undefined ? {} : { namespace: namespace as string }) },
});

describe('--namespace', () => {
  it.for([
    ['slipway.dev/v1alpha1', 'Cluster'],
    ['node.slipway.dev/v1alpha1', 'Host'],
    ['v1', 'Secret'],
    ['ec2.aws.m.upbound.io/v1beta1', 'VPC'],
    ['aws.m.upbound.io/v1beta1', 'ProviderConfig'],
    ['kubernetes.m.crossplane.io/v1alpha1', 'Object'],
  ] as const)('is the namespace of %s, without one, with an empty one, and with null, as to kubectl', (type) => {
    for (const namespace of [undefined, '', null, 'team-x'])
      expect(given(object(type[0], type[1], namespace))).toEqual(['team-x']);
    expect(() => given(object(type[0], type[1], 'team-b'))).toThrow(
      'metadata.namespace: "team-b" is not accepted beside',
    );
  });

  it.for([
    ['v1', 'Namespace'],
    ['apiextensions.crossplane.io/v1', 'Composition'],
    ['apiextensions.crossplane.io/v1beta1', 'EnvironmentConfig'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
    ['aws.m.upbound.io/v1beta1', 'ClusterProviderConfig'],
    ['node.slipway.dev/v1alpha1', 'ClusterProviderConfig'],
    ['ec2.aws.upbound.io/v1beta1', 'VPC'],
  ] as const)('is nothing to %s, which has none', (type) => {
    expect(given(object(type[0], type[1]))).toEqual([undefined]);
    expect(given(object(type[0], type[1], 'team-b')), 'which the API server ignores').toEqual(['team-b']);
  });
});
