import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { aClaim, anInput, call, controlPlane, existing, objects } from './cluster.fixture.ts';

const refused = async (given: Parameters<typeof call>[0]) =>
  call(given).then(
    () => 'accepted',
    (error: unknown) => String(error).replace(/^SlipwayError: /, ''),
  );

function garbage(atProvider: JsonObject | readonly string[]): KubeObject {
  return {
    apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
    kind: 'VPC',
    metadata: { name: 'prod-vpc', namespace: 'team-a' },
    status: { atProvider },
  };
}

describe('a claim that cannot be accepted is refused with one line, and no object changes', () => {
  const who = 'cannot accept Cluster "team-a/prod": ';
  const input = 'cannot accept ClusterInput of the Composition: ';
  const known = { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } };
  const latched = {
    ...known,
    infrastructure: { contract: 1, cloud: 'aws', region: 'eu-west-1', ready: true, controlPlane: {} },
  };

  test.for<readonly [string, Parameters<typeof call>[0], string]>([
    [
      'an unknown field',
      { claim: aClaim({ versoin: 'x' }) },
      `${who}spec.versoin: unknown field; accepted: addons, bootstrap, controlPlane, crossplane, deletionProtection, health, infrastructure, network, paused, provisioning, region, update, version; did you mean "version"?`,
    ],
    [
      'an even control plane',
      { claim: aClaim(controlPlane({ replicas: 2 })) },
      `${who}spec.controlPlane.replicas: 2 is not accepted; accepted: an odd number from 1 to 9, so that etcd keeps a majority when a machine is lost`,
    ],
    [
      'a wrong CIDR',
      { claim: aClaim({ network: { nodes: '10.0.0.1/16' } }) },
      `${who}spec.network.nodes: "10.0.0.1/16" is not a network block; accepted: one block with no host bits set, such as 10.0.0.0/16; IPv6 is for machines that have no IPv4, and dual stack is not supported; did you mean "10.0.0.0/16"?`,
    ],
    ...(['pods', 'services', 'nodes'] as const).map(
      (field) =>
        [
          `${field} with addresses that no network can give away`,
          { claim: aClaim({ network: { [field]: '169.254.0.0/16' } }) },
          `${who}spec.network.${field}: "169.254.0.0/16" is not accepted; accepted: a block apart from 0.0.0.0/8, 127.0.0.0/8, 169.254.0.0/16, 224.0.0.0/4, 240.0.0.0/4, ::/127, fe80::/10, ff00::/8, whose addresses no network can give away`,
        ] as const,
    ),
    [
      'overlapping networks',
      { claim: aClaim({ network: { pods: '10.0.0.0/8' } }) },
      `${who}spec.network.pods: "10.0.0.0/8" overlaps with the default of services, 10.96.0.0/12; accepted: a block apart from the others`,
    ],
    [
      'a node block too small',
      { claim: aClaim({ network: { nodes: '10.0.0.0/24' } }) },
      `${who}spec.network.nodes: "10.0.0.0/24" is not accepted; accepted: an IPv4 block from /16 to /22, large enough for a public and a private subnet of /28 or larger in each zone`,
    ],
    [
      'a node block of IPv6',
      { claim: aClaim({ network: { nodes: '2001:db8::/32' } }) },
      `${who}spec.network.nodes: "2001:db8::/32" is not accepted; accepted: an IPv4 block from /16 to /22, large enough for a public and a private subnet of /28 or larger in each zone`,
    ],
    [
      'pods of IPv6 on machines of IPv4',
      { claim: aClaim({ network: { pods: 'fd00::/56', services: 'fd01::/112' } }) },
      `${who}spec.network.pods: "fd00::/56" is not accepted; accepted: a block of IPv4, since machines have addresses of IPv4; dual stack is not supported`,
    ],
    [
      'Services of IPv6 on machines of IPv4',
      { claim: aClaim({ network: { services: 'fd01::/112' } }) },
      `${who}spec.network.services: "fd01::/112" is not accepted; accepted: a block of IPv4, since machines have addresses of IPv4; dual stack is not supported`,
    ],
    [
      'a region nobody knows',
      { claim: aClaim({ region: 'mars' }) },
      `${who}spec.region: "mars" is not accepted; accepted: eu-west, or a region of AWS such as eu-west-1`,
    ],
    [
      'a zone outside the region',
      { input: anInput({ zones: { 'eu-west-1': ['eu-west-2a'] } }) },
      `${input}zones.eu-west-1: "eu-west-2a" is not accepted; accepted: zones of eu-west-1, each once, such as eu-west-1a`,
    ],
    [
      'more zones than blocks',
      { input: anInput({ zones: { 'eu-west-1': Array.from('abcdefgh', (z) => `eu-west-1${z}`) } }) },
      `${input}zones.eu-west-1: a list of 8 items is not accepted; accepted: at most 7 items`,
    ],
    [
      'a control plane in no zone',
      { claim: aClaim(controlPlane({ machine: { class: 'x', zones: ['eu-west-1z'] } })) },
      `${who}spec.controlPlane.machine.zones[0]: "eu-west-1z" is not accepted; accepted: eu-west-1a, eu-west-1b, eu-west-1c`,
    ],
    [
      'a name too long',
      { claim: { ...aClaim(), metadata: { name: 'x'.repeat(39), namespace: 'n' } } },
      `cannot accept Cluster "n/${'x'.repeat(39)}": metadata.name: "${'x'.repeat(39)}" is not accepted; accepted: at most 38 characters, since names of machines and hosts start with it`,
    ],
    [
      'a typo in the input',
      { input: anInput({ region: {} }) },
      `${input}region: unknown field; accepted: allowInClear, apiVersion, aws, azure, classes, cloud, cloudProvider, defaultImage, environmentConfig, existing, existingParts, gcp, images, kind, limits, managementCIDRs, managementCluster, otherFormats, overrides, providerConfigRef, providerConfigs, regions, tags, ttl, zones; did you mean "regions"?`,
    ],
    [
      'a typo in the AWS input',
      { input: anInput({ aws: { natGateway: 'Single' } }) },
      `${input}aws.natGateway: unknown field; accepted: cniRules, controllerTags, crossZoneLoadBalancing, ebsCSIPolicy, flowLogs, loadBalancerProtection, natGateways, nodePortCIDRs, permissionsBoundary; did you mean "natGateways"?`,
    ],
    [
      'a rule without ports',
      { input: anInput({ aws: { cniRules: [{ name: 'a', description: 'a', protocol: 'udp' }] } }) },
      `${input}aws.cniRules[0]: must have fromPort and toPort, in this order, with tcp and udp, and no ports with another protocol`,
    ],
    [
      'another cloud',
      { input: anInput({ cloud: 'moon' }) },
      `${input}cloud: "moon" is not accepted; accepted: aws, azure, existing, gcp`,
    ],
    [
      'existing subnets without a network',
      { claim: aClaim(existing({ network: undefined })) },
      `${who}spec.infrastructure.existing.network.id: "" is not accepted; accepted: the id of the network that contains the subnets`,
    ],
    [
      'an existing network without subnets',
      { claim: aClaim(existing({ subnets: [] })) },
      `${who}spec.infrastructure.existing.subnets: "no private subnet" is not accepted; accepted: at least one with public: false, for the machines`,
    ],
    [
      'an existing network without public subnets',
      {
        claim: aClaim({
          ...existing({ subnets: [{ id: 'subnet-a', zone: 'eu-west-1a' }] }),
          ...controlPlane({ scheme: 'internet-facing', allowedCIDRs: ['0.0.0.0/0'] }),
        }),
      },
      `${who}spec.infrastructure.existing.subnets: "no public subnet" is not accepted; accepted: at least one with public: true, for the load balancer; or spec.controlPlane.scheme internal`,
    ],
    [
      'two private subnets of a zone',
      {
        claim: aClaim(
          existing({
            subnets: [
              { id: 'subnet-a', zone: 'eu-west-1a' },
              { id: 'subnet-b', zone: 'eu-west-1a' },
            ],
          }),
        ),
      },
      `${who}spec.infrastructure.existing.subnets[1].zone: "eu-west-1a" is not accepted; accepted: one private subnet per zone; subnets[0] already is one`,
    ],
    [
      'a subnet elsewhere',
      { claim: aClaim(existing({ subnets: [{ id: 'subnet-a', zone: 'us-east-1a' }] })) },
      `${who}spec.infrastructure.existing.subnets[0].zone: "us-east-1a" is not accepted; accepted: a zone of eu-west-1, such as eu-west-1a`,
    ],
    [
      'an override of an identity',
      {
        claim: aClaim({
          infrastructure: { overrides: [{ kind: 'VPC', patch: { spec: { managementPolicies: [] } } }] },
        }),
      },
      `${who}spec.infrastructure.overrides[0].patch.spec.managementPolicies: cannot be overridden; accepted: spec.forProvider, spec.initProvider, metadata.labels, metadata.annotations`,
    ],
    [
      'another endpoint',
      { claim: aClaim(controlPlane({ endpoint: { host: 'other' } }), known) },
      `${who}spec.controlPlane.endpoint: "other:6443" is not accepted; accepted: api.example.com:6443, since certificates and nodes use it`,
    ],
    [
      'the endpoint taken away',
      { claim: aClaim({}, latched) },
      `${who}spec.controlPlane.endpoint: "none" is not accepted; accepted: api.example.com:6443, since certificates and nodes use it`,
    ],
    [
      'garbage in the status of the claim',
      { claim: aClaim({}, { infrastructure: 'lost' }) },
      `${who}status.infrastructure: "lost" is not accepted; accepted: an object such as {contract: 1, cloud: <cloud>, region: <region>, ready: true}`,
    ],
    [
      'garbage in the status of the pool',
      { observed: { 'control-plane': { ...aClaim(), kind: 'NodePool', status: { initialized: 'yes' } } } },
      'cannot accept NodePool "team-a/prod": status.initialized: "yes" is not accepted; accepted: true or false',
    ],
    [
      'garbage in an id',
      { observed: { vpc: garbage({ id: 42 }) } },
      'cannot read VPC "team-a/prod-vpc": status.atProvider.id: 42 is not accepted; accepted: a string',
    ],
    [
      'garbage instead of outputs',
      { observed: { vpc: garbage(['x']) } },
      'cannot read VPC "team-a/prod-vpc": status.atProvider: ["x"] is not accepted; accepted: an object',
    ],
  ])('%s', async ([, given, want]) => {
    expect(await refused(given)).toBe(want);
  });

  test('every field of the input has a default', async () => {
    const claim = aClaim({ region: 'eu-west-1' });
    const bare = await call({ claim, input: null });
    expect(objects(bare)).toEqual(objects(await call({ claim, input: anInput({ regions: {}, managementCIDRs: [] }) })));
  });
});
