import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { crdsAvailable, validateManaged } from './crds.ts';

const subnet = (forProvider: JsonObject): KubeObject => ({
  apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
  kind: 'Subnet',
  metadata: { name: 'a', namespace: 'n' },
  spec: { forProvider },
});

describe.skipIf(!crdsAvailable())('provider CRDs validate managed resources', () => {
  test.for([
    { name: 'accepts what the provider accepts', given: subnet({ region: 'eu-west-1' }), want: [] },
    {
      name: 'an unknown field is an error, since the API server would drop it',
      given: subnet({ region: 'eu-west-1', cidr: '10.0.0.0/24' }),
      want: ['spec.forProvider: must NOT have additional properties (cidr)'],
    },
    {
      name: 'a wrong type is an error',
      given: subnet({ region: 'eu-west-1', mapPublicIpOnLaunch: 'yes' }),
      want: ['spec.forProvider.mapPublicIpOnLaunch: must be boolean'],
    },
    {
      name: 'an unknown kind is an error',
      given: { ...subnet({}), kind: 'Subnets' },
      want: ['no CRD of ec2.aws.m.upbound.io/v1beta1 Subnets was found'],
    },
    {
      name: 'an invalid label value is an error',
      given: { ...subnet({ region: 'r' }), metadata: { name: 'a', labels: { a: 'b/c' } } },
      want: [expect.stringContaining('metadata.labels.a: must match pattern')],
    },
  ])('$name', ({ given, want }) => {
    expect(validateManaged(given)).toEqual(want);
  });

  test('a field that only a rule of the CRD requires is required', () => {
    const listener: KubeObject = {
      apiVersion: 'elbv2.aws.m.upbound.io/v1beta1',
      kind: 'LBListener',
      metadata: { name: 'a' },
      spec: { forProvider: { region: 'r' } },
    };
    expect(validateManaged(listener)).toEqual(['spec: spec.forProvider.defaultAction is a required parameter']);
    const initial = { ...listener, spec: { ...listener.spec, initProvider: { defaultAction: [{ type: 'forward' }] } } };
    expect(validateManaged(initial)).toEqual([]);
  });
});

const cluster = (spec: JsonObject): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'prod', namespace: 'team-a' },
  spec: {
    version: 'v1.35.4',
    region: 'eu-west-1',
    controlPlane: { machine: { class: 'standard-2' } },
    ...spec,
  },
});

test.for([
  { name: 'a plain claim is accepted', given: cluster({}), want: [] },
  {
    name: 'a typo is an error',
    given: cluster({ regoin: 'x' }),
    want: ['spec: must NOT have additional properties (regoin)'],
  },
  {
    name: 'a rule over numbers is evaluated',
    given: cluster({ controlPlane: { replicas: 2, machine: { class: 'standard-2' } } }),
    want: [expect.stringContaining('spec.controlPlane.replicas: 2 is not accepted; accepted: an odd number')],
  },
  {
    name: 'a rule over blocks is evaluated',
    given: cluster({ network: { pods: '10.0.0.0/8' } }),
    want: ['spec.network: must not overlap: pods, services and nodes need separate blocks'],
  },
])('the generated XRDs validate our own kinds: $name', ({ given, want }) => {
  expect(validateManaged(given)).toEqual(want);
});

test('a Secret whose data is not base64 is an error', () => {
  const secret: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { key: 'not base64' } };
  expect(validateManaged(secret)).toEqual(['data.key: must be base64']);
  expect(validateManaged({ ...secret, data: { key: 'YQ==' } })).toEqual([]);
});
