import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { aRequest } from '../../test/support/request.ts';
import { asDesired, carryForward } from './keep.ts';
import { ANSWERS_FOR_NOTHING } from './law.ts';
import { Reply } from './reply.ts';
import type { Observed, Request } from './request.ts';

describe('an observed object that is desired again', () => {
  test('keeps the fields of its owner and no fields of others', () => {
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

  test('keeps a foreign annotation that we applied: without its external name an adopted machine would be created twice', () => {
    const annotations = { 'crossplane.io/external-name': 'i-1', 'crossplane.io/paused': 'true' };
    const applied = {
      manager: 'apiextensions.crossplane.io/composed/0a1b',
      operation: 'Apply',
      fieldsV1: {
        'f:metadata': {
          'f:annotations': {
            '.': {},
            'f:crossplane.io/external-name': {},
            'f:crossplane.io/composition-resource-name': {},
          },
          'f:labels': { 'f:topology.kubernetes.io/zone': {}, 'f:crossplane.io/composite': {} },
        },
      },
    };
    const observed = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: {
        name: 'a',
        labels: { 'topology.kubernetes.io/zone': 'a', 'crossplane.io/composite': 'x' },
        annotations: { ...annotations, 'crossplane.io/composition-resource-name': 'instance' },
      },
    };
    const kept = (managedFields: readonly JsonObject[]) =>
      asDesired({ ...observed, metadata: { ...observed.metadata, managedFields } }).metadata;
    expect(kept([applied])).toEqual({
      name: 'a',
      labels: { 'topology.kubernetes.io/zone': 'a' },
      annotations: { 'crossplane.io/external-name': 'i-1' },
    });
    expect(
      kept([{ ...applied, operation: 'Update', manager: 'provider' }]),
      'the provider keeps what it wrote',
    ).toEqual({
      name: 'a',
    });
  });

  test('keeps only the selector of its parent from the Crossplane fields of an XR, and a second call changes nothing', () => {
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

describe('what another release created is carried forward', () => {
  const composite = { apiVersion: 'example.org/v1', kind: 'XThing', metadata: { name: 'x' } };
  const head = (kind: string) => ({ apiVersion: 'v1', kind, metadata: { name: kind.toLowerCase() } });
  const unread = (kind: string): Observed => ({
    head: head(kind),
    get resource(): never {
      throw new Error(`${kind} was read`);
    },
    connectionDetails: {},
  });
  const read = (kind: string): Observed => ({
    resource: { ...head(kind), spec: { size: 1 } },
    connectionDetails: {},
  });

  test('whole, and objects of other steps are not even read: there may be a hundred of them', () => {
    const request: Request = {
      ...aRequest({ composite }),
      observed: {
        composite,
        resources: new Map([
          ['a', read('Ours')],
          ['b', unread('Theirs')],
        ]),
      },
    };
    const reply = new Reply(request, ANSWERS_FOR_NOTHING);
    carryForward(reply, request, ({ kind }) => kind === 'Ours');
    expect([...reply.build().resources]).toEqual([['a', { resource: read('Ours').resource, ready: 'True' }]]);
  });
});
