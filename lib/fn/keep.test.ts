import { describe, expect, test } from 'vitest';
import { asDesired } from './keep.ts';

describe('an observed object desired again', () => {
  test('keeps what its owner said and nothing others wrote', () => {
    const labels = { 'slipway.dev/cluster': 'prod', 'cluster.x-k8s.io/cluster-name': 'prod' };
    const observed = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: {
        name: 'a',
        namespace: 'team-a',
        uid: 'u',
        resourceVersion: '7',
        generation: 3,
        creationTimestamp: '2026-01-01T00:00:00Z',
        finalizers: ['f'],
        managedFields: [{}],
        ownerReferences: [{}],
        labels: { ...labels, 'crossplane.io/composite': 'x' },
        annotations: {
          'crossplane.io/external-name': 'i-1',
          'upjet.upbound.io/test': 'x',
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
          'example.org/mine': 'yes',
        },
      },
      spec: { size: 1 },
      data: { key: 'dmFsdWU=' },
      status: { ready: true },
    };
    expect(asDesired(observed)).toEqual({
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { name: 'a', namespace: 'team-a', labels, annotations: { 'example.org/mine': 'yes' } },
      spec: { size: 1 },
      data: { key: 'dmFsdWU=' },
    });
  });

  test('keeps of an XR’s machinery only the selector its parent gave it; kept twice is kept once', () => {
    const compositionSelector = { matchLabels: { 'slipway.dev/flavor': 'aws' } };
    const kept = asDesired({
      apiVersion: 'v1',
      kind: 'XR',
      metadata: { name: 'a', labels: { 'crossplane.io/composite': 'x' } },
      spec: { size: 1, crossplane: { compositionSelector, resourceRefs: [{}], compositionRef: { name: 'c' } } },
    });
    expect(kept).toEqual({
      apiVersion: 'v1',
      kind: 'XR',
      metadata: { name: 'a' },
      spec: { size: 1, crossplane: { compositionSelector } },
    });
    expect(asDesired(kept)).toEqual(kept);
    expect(asDesired({ apiVersion: 'v1', kind: 'XR', spec: { crossplane: { resourceRefs: [] } } }).spec).toEqual({});
  });
});
