/** Which requests of a kubelet for a certificate are approved: those of its own machine, and no other. */
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { refusalOf, tellPending } from './serving.ts';
import type { ServingRequest } from './situation.ts';

const NAMES = ['general-0', 'ip-10-0-0-7.ec2.internal'];
const OBJECT: KubeObject = {
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind: 'WorkloadNode',
  spec: { servingCertificates: { approve: true, names: NAMES, addresses: ['10.0.0.7', '2001:db8::7'] } },
};
const NODE: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'general-0' } };
const KUBELET = 'system:node:general-0';
const REQUEST: ServingRequest = {
  name: 'csr-1',
  uid: 'u',
  signer: 'kubernetes.io/kubelet-serving',
  username: KUBELET,
  groups: ['system:nodes', 'system:authenticated'],
  usages: ['digital signature', 'server auth'],
  subject: { commonName: KUBELET, organizations: ['system:nodes'] },
  names: ['general-0'],
  addresses: ['10.0.0.7'],
  others: 0,
};

const refused = (parts: Partial<ServingRequest>): string | undefined =>
  refusalOf(OBJECT, NODE, { ...REQUEST, ...parts });

describe('a request is approved', () => {
  test.for<[string, Partial<ServingRequest>]>([
    ['of a kubelet with a key of RSA', { usages: ['digital signature', 'key encipherment', 'server auth'] }],
    ['for all names of the machine, in any case', { names: ['GENERAL-0', NAMES[1]!] }],
    ['for an address that is written in another way', { addresses: ['2001:DB8:0:0::7'] }],
    ['for a name only', { addresses: [] }],
    ['with its groups in another order', { groups: ['system:authenticated', 'system:nodes'] }],
  ])('%s', ([, parts]) => {
    expect(refused(parts)).toBeUndefined();
  });
});

test('a request of another machine stays pending, although its Node has the provider id and asks for these addresses', () => {
  const name = 'worker-1';
  const kubelet = `system:node:${name}`;
  const request = { ...REQUEST, username: kubelet, subject: { ...REQUEST.subject, commonName: kubelet } };
  const object = { ...OBJECT, spec: { ...OBJECT.spec, node: { name: 'general-0', providerID: 'aws:///a/i-0a' } } };
  const node: KubeObject = { ...NODE, metadata: { name }, spec: { providerID: 'aws:///a/i-0a' } };
  expect(refusalOf(object, node, request)).toBe('Node "worker-1" has none of the names of its machine');
  expect(refusalOf(object, { ...node, metadata: { name: 'i-0a' } }, request)).toMatch(
    /sent it, not "system:node:i-0a"/,
  );
});

test('a request that is not approved is told of once', () => {
  const stranger = { ...REQUEST, addresses: ['10.0.0.8'] };
  const situation = { object: OBJECT, now: 0, certificates: { requests: [stranger] } };
  const why = '10.0.0.8 is not an address of its machine';
  expect(tellPending(situation, NODE)).toEqual([
    {
      type: 'Warning',
      reason: 'CertificateRequestPending',
      message: `CertificateSigningRequest "csr-1" is not approved: ${why}; approve or deny it with kubectl certificate`,
    },
  ]);
  const known = { ...OBJECT, status: { certificates: { pending: [{ request: 'csr-1', why }] } } };
  expect(tellPending({ ...situation, object: known }, NODE)).toEqual([]);
});

describe('a request stays pending', () => {
  test.for<[string, Partial<ServingRequest>, string]>([
    ['of another signer', { signer: 'kubernetes.io/kube-apiserver-client' }, 'its signer is'],
    ['of another Node', { username: 'system:node:general-1' }, '"system:node:general-1" sent it, not'],
    ['of a person', { username: 'eve' }, '"eve" sent it'],
    ['of a sender with more groups', { groups: [...REQUEST.groups, 'system:masters'] }, 'the groups of its sender'],
    ['of a sender with fewer groups', { groups: ['system:nodes'] }, 'the groups of its sender'],
    ['of a sender with one group twice', { groups: ['system:nodes', 'system:nodes', 'x'] }, 'the groups of its sender'],
    ['for a client', { usages: ['server auth', 'client auth'] }, 'it asks for usage "client auth"'],
    ['for no server', { usages: ['digital signature'] }, 'it does not ask for usage "server auth"'],
    ['for another Node', { subject: { commonName: 'system:node:b', organizations: ['system:nodes'] } }, 'its subject'],
    ['for administrators', { subject: { commonName: KUBELET, organizations: ['system:masters'] } }, 'its subject is'],
    [
      'for Nodes and administrators',
      { subject: { commonName: KUBELET, organizations: ['system:nodes', 'system:masters'] } },
      'its subject is',
    ],
    [
      'for another name',
      { names: ['kubernetes.default.svc'] },
      '"kubernetes.default.svc" is not a name of its machine',
    ],
    ['for a name with a wildcard', { names: ['*'] }, '"*" is not a name'],
    ['for another address', { addresses: ['10.0.0.7', '10.0.0.1'] }, '10.0.0.1 is not an address of its machine'],
    ['for the address of IPv4 inside one of IPv6', { addresses: ['::ffff:10.0.0.7'] }, 'is not an address'],
    ['for nothing', { names: [], addresses: [] }, 'it names no name and no address'],
    ['for a mail address too', { others: 1 }, 'neither a name nor an address'],
    ['that cannot be read', { problem: 'it cannot be read' }, 'it cannot be read'],
  ])('%s', ([, parts, why]) => {
    expect(refused(parts)).toContain(why);
  });

  test('while the cloud has not told addresses', () => {
    const bare = { ...OBJECT, spec: { servingCertificates: { approve: true, names: ['general-0'], addresses: [] } } };
    expect(refusalOf(bare, NODE, REQUEST)).toBe('10.0.0.7 is not an address of its machine');
  });
});
