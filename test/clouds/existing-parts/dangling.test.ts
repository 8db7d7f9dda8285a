/** The judge of references finds what leads to nothing. */
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { dangling } from './dangling.ts';

const ec2 = (kind: string, name: string, forProvider: JsonObject, id?: string): KubeObject => ({
  apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
  kind,
  metadata: { name, labels: { access: 'private' } },
  spec: { forProvider },
  status: id === undefined ? {} : { atProvider: { id } },
});
const vpc = ec2('VPC', 'prod-vpc', {}, 'vpc-1');
const theirs = ec2('VPC', 'shared', {}, 'vpc-2');
const subnet = (forProvider: JsonObject) => ec2('Subnet', 'prod-subnet', forProvider);

test.for([
  { name: 'a reference to a resource of the cluster', forProvider: { vpcIdRef: { name: 'prod-vpc' } } },
  { name: 'labels of one', forProvider: { vpcIdSelector: { matchLabels: { access: 'private' } } } },
  { name: 'the id of one', forProvider: { vpcId: 'vpc-1' } },
  { name: 'the id of what somebody else has', forProvider: { vpcId: 'vpc-2' } },
  { name: 'an id that the claim names', forProvider: { vpcId: 'vpc-named' } },
])('$name leads to something', ({ forProvider }) => {
  expect(dangling([vpc, subnet(forProvider)], [theirs], new Set(['vpc-named']))).toEqual([]);
});

test.for([
  { name: 'a name that nothing has', forProvider: { vpcIdRef: { name: 'prod-net' } }, lost: 'vpcIdRef {"name":' },
  {
    name: 'a reference to what somebody else has, which no provider would resolve here',
    forProvider: { vpcIdRef: { name: 'shared' } },
    lost: 'vpcIdRef {"name":"shared"} leads to nothing',
  },
  {
    name: 'the name of another kind',
    forProvider: { vpcIdRef: { name: 'prod-subnet' } },
    lost: 'vpcIdRef {"name":"prod-subnet"} leads to nothing',
  },
  {
    name: 'labels that nothing has',
    forProvider: { vpcIdSelector: { matchLabels: { access: 'public' } } },
    lost: 'vpcIdSelector {"matchLabels":',
  },
  { name: 'an id that nothing has', forProvider: { vpcId: 'vpc-3' }, lost: 'nothing has the id vpc-3' },
  {
    name: 'one of several references',
    forProvider: { ingress: [{ securityGroupsRefs: [{ name: 'nowhere' }] }] },
    lost: 'securityGroupsRefs {"name":"nowhere"} leads to nothing',
  },
])('$name is found', ({ forProvider, lost }) => {
  const found = dangling([vpc, subnet(forProvider)], [theirs], new Set());
  expect(found).toEqual([expect.stringContaining(`Subnet prod-subnet: ${lost}`)]);
});
