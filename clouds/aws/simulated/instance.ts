/** EC2 instances: what changes in place, what stops the machine, and what needs another machine. */
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import { architectureOf, isInstanceType, noSuchType } from './instance-types.ts';
import { awsKind, ec2Arn } from './kind.ts';

/** From terraform-provider-aws, which refuses changes of these. */
const FORCE_NEW = [
  'ami',
  'associatePublicIpAddress',
  'availabilityZone',
  'cpuOptions',
  'ebsBlockDevice',
  'ebsOptimized',
  'enclaveOptions',
  'ephemeralBlockDevice',
  'hibernation',
  'hostId',
  'instanceMarketOptions',
  'ipv6AddressCount',
  'ipv6Addresses',
  'keyName',
  'launchTemplate',
  'networkInterface',
  'placementGroup',
  'primaryNetworkInterface.networkInterfaceId',
  'privateIp',
  'region',
  'rootBlockDevice.encrypted',
  'rootBlockDevice.kmsKeyId',
  'secondaryNetworkInterface',
  'subnetId',
  'tenancy',
];

/** Changes of these stop the machine and start it again. */
const STOPS = new Set(['instanceType', 'userData', 'userDataBase64', 'capacityReservationSpecification', 'deletion']);

export const INSTANCE: CloudKind = awsKind('ec2', {
  kind: 'Instance',
  title: 'EC2 Instance',
  idPrefix: 'i-',
  arn: (id, attributes) => ec2Arn('instance', id, attributes),
  seconds: { create: [18, 35], update: [20, 40], delete: [30, 60] },
  forceNew: FORCE_NEW,
  references: { subnetId: 'Subnet', vpcSecurityGroupIds: 'SecurityGroup' },
  lists: { vpcSecurityGroupIds: 'set', secondaryPrivateIps: 'set' },
  // With userDataBase64, although initProvider has it: seen with provider-aws-ec2 v2.5.0.
  lateInitialized: [
    'availabilityZone',
    'ebsBlockDevice',
    'primaryNetworkInterface',
    'sourceDestCheck',
    'tenancy',
    'userDataBase64',
  ],
  volumes: { list: 'ebsBlockDevice', by: 'deviceName', untold: 'read' },
  hidden: ['userData', 'userDataBase64'],
  created: ({ id, name, attributes, dice, find }) => {
    const subnet = find(stringAt(attributes, 'subnetId') ?? '');
    const region = stringAt(attributes, 'region') ?? '';
    const networkInterfaceId = `eni-${dice.hex(17, 'eni', id)}`;
    const ip = addressIn(subnet, dice.roll('ip', name, id));
    return {
      attributes: {
        sourceDestCheck: true,
        tenancy: 'default',
        ...attributes,
        availabilityZone: zoneOf(attributes, subnet),
        primaryNetworkInterface: { networkInterfaceId },
      },
      outputs: {
        instanceState: 'running',
        privateIp: ip,
        privateDns: `ip-${ip.replaceAll('.', '-')}.${region}.compute.internal`,
        primaryNetworkInterfaceId: networkInterfaceId,
      },
    };
  },
  // The provider lifts the protection with forceDestroy, if the instance was created or changed with it.
  refusesDeletion: ({ disableApiTermination, forceDestroy }, id) =>
    disableApiTermination === true && forceDestroy !== true
      ? `api error OperationNotPermitted: The instance '${id}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`
      : undefined,
  refuses: (attributes) => {
    const type = stringAt(attributes, 'instanceType');
    return type === undefined || isInstanceType(type) ? undefined : noSuchType(type);
  },
  boots: (attributes) => ({
    image: stringAt(attributes, 'ami'),
    architecture: architectureOf(stringAt(attributes, 'instanceType') ?? ''),
    refusal: (image, size) =>
      `api error InvalidParameterValue: The architecture '${asAws(size)}' of the specified instance type does not match the architecture '${asAws(image)}' of the specified AMI.`,
  }),
  room: (attributes, find) => {
    const zone = zoneOf(attributes, find(stringAt(attributes, 'subnetId') ?? ''));
    const size = stringAt(attributes, 'instanceType') ?? '';
    return { zone, size, refusal: (request) => noCapacity(zone, size, request) };
  },
  // modifyInstanceAttributeWithStopStart in internal/service/ec2/ec2_instance.go of terraform-provider-aws.
  power: { output: 'instanceState', on: 'running', starts: () => true },
  during: (changed) =>
    changed.some((field) => STOPS.has(field))
      ? { instanceState: changed.includes('deletion') ? 'shutting-down' : 'stopped' }
      : undefined,
});

const asAws = (architecture: string): string => (architecture === 'amd64' ? 'x86_64' : architecture);

/** As the real provider reports it; the request id differs from call to call. */
function noCapacity(zone: string, size: string, request: string): string {
  return `operation error EC2: RunInstances, https response error StatusCode: 500, RequestID: ${request}, api error InsufficientInstanceCapacity: We currently do not have sufficient ${size} capacity in the Availability Zone you requested (${zone}). Our system will be working on provisioning additional capacity. You can currently get ${size} capacity by not specifying an Availability Zone in your request.`;
}

function zoneOf(attributes: JsonObject, subnet: CloudObject | undefined): string {
  return (
    stringAt(attributes, 'availabilityZone') ??
    stringAt(subnet?.attributes, 'availabilityZone') ??
    `${stringAt(attributes, 'region') ?? ''}a`
  );
}

/** An address in the block of the subnet, with its first three numbers. */
function addressIn(subnet: CloudObject | undefined, roll: number): string {
  const block = stringAt(subnet?.attributes, 'cidrBlock') ?? '10.0.0.0/16';
  const [a = '10', b = '0', c = '0'] = block.split('.');
  return [a, b, c, String(4 + Math.floor(roll * 250))].join('.');
}
