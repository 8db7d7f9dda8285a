/** Which Node a WorkloadNode stands for, whatever kubelets write and whichever Node comes first. */
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { identify, isNameOf, otherManagerOf } from './identity.ts';

const ID = 'aws:///eu-west-1a/i-0abc';

function object(status: KubeObject['status'] = {}, names: readonly string[] = []): KubeObject {
  const node = { name: 'cp-0', providerID: ID };
  const metadata = { name: 'cp-0', namespace: 'a' };
  return { apiVersion: 'v1', kind: 'WorkloadNode', metadata, spec: { node, servingCertificates: { names } }, status };
}

function node(name: string, uid = name): KubeObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, uid }, spec: { providerID: ID } };
}

function unnumbered(uid: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'cp-0', uid } };
}

const found = (uid: string, name = 'cp-0') => ({ nodeRef: { name, uid } });

describe('the Node of a WorkloadNode', () => {
  test.for<[string, KubeObject, readonly KubeObject[], string | undefined, string | undefined]>([
    ['is the one of the provider id and a name', object(), [node('cp-0')], 'cp-0', undefined],
    [
      'may be named by its cloud',
      object({}, ['ip-10.example.org']),
      [node('ip-10.ec2.internal')],
      'ip-10.ec2.internal',
      undefined,
    ],
    ['may be named by the id of its machine', object(), [node('i-0abc')], 'i-0abc', undefined],
    ['is never one with a strange name', object(), [node('worker-1')], undefined, 'StrangeName'],
    [
      'is the one that was found before',
      object(found('b')),
      [node('cp-0', 'a'), node('cp-0.x', 'b')],
      'b',
      'Impersonated',
    ],
    ['is the one with a name beside strangers', object(), [node('worker-1'), node('cp-0')], 'cp-0', 'Impersonated'],
    ['is not told among several names', object({}, ['ip-1']), [node('ip-1'), node('cp-0')], undefined, 'SeveralNodes'],
    ['may have registered anew under its name', object(found('old', 'x-1')), [node('x-1', 'new')], 'new', undefined],
    [
      'is not a stranger when the one before is gone',
      object(found('old')),
      [node('worker-1')],
      undefined,
      'StrangeName',
    ],
    ['may have no provider id yet, once it was found', object(found('a')), [unnumbered('a')], 'a', undefined],
    ['is not known while it has no provider id', object(), [unnumbered('a')], undefined, undefined],
  ])('%s', ([, one, nodes, uid, doubt]) => {
    for (const order of [nodes, nodes.toReversed()]) {
      const identity = identify(one, order);
      expect(identity.node?.metadata?.uid ?? identity.node?.metadata?.name).toBe(uid);
      expect(identity.doubt?.reason).toBe(doubt);
      expect(identity.unclear !== undefined).toBe(doubt === 'SeveralNodes');
    }
  });

  test('is found by its whole address, where that is its name', () => {
    expect(isNameOf(object({}, ['10.0.0.7']), '10.0.0.8')).toBe(false);
    expect(isNameOf(object({}, ['10.0.0.7']), '10.0.0.7')).toBe(true);
  });
});

describe('of two WorkloadNodes that have found a Node', () => {
  const named = (name: string, creationTimestamp: string, spec: KubeObject['spec'] = {}): KubeObject => ({
    ...object(found('a')),
    metadata: { name, namespace: 'a', creationTimestamp },
    spec,
  });
  const [older, younger] = [named('old', '2026-01-01T00:00:00Z'), named('young', '2026-01-02T00:00:00Z')];

  test('the older one manages it, and says nothing about the other', () => {
    const both = [younger, older];
    expect(otherManagerOf(node('cp-0', 'a'), younger, both)).toBe('a/old');
    expect(otherManagerOf(node('cp-0', 'a'), older, both)).toBeUndefined();
  });

  test('one that only observes manages nothing', () => {
    const observer = named('old', '2026-01-01T00:00:00Z', { managementPolicies: ['Observe'] });
    expect(otherManagerOf(node('cp-0', 'a'), younger, [observer])).toBeUndefined();
  });
});
