/** VPC and the objects in it. */
import { stringAt } from '#lib/api/json.ts';
import type { CloudKind } from '#simulator/cloud/kind.ts';
import { ACCOUNT, awsKind, ec2Arn } from './kind.ts';

const publicIp = (roll: number): string => `203.0.113.${1 + Math.floor(roll * 250)}`;

export const NETWORK: readonly CloudKind[] = [
  awsKind('ec2', {
    kind: 'VPC',
    title: 'EC2 VPC',
    idPrefix: 'vpc-',
    seconds: { create: [3, 8], update: [1, 3], delete: [1, 3] },
    forceNew: ['cidrBlock', 'instanceTenancy', 'region'],
    blockedBy: {
      Subnet: ['vpcId'],
      InternetGateway: ['vpcId'],
      RouteTable: ['vpcId'],
      SecurityGroup: ['vpcId'],
    },
  }),
  awsKind('ec2', {
    kind: 'Subnet',
    title: 'EC2 Subnet',
    idPrefix: 'subnet-',
    seconds: { create: [2, 12], update: [1, 3], delete: [1, 5] },
    forceNew: ['cidrBlock', 'availabilityZone', 'vpcId', 'region'],
    references: { vpcId: 'VPC' },
    blockedBy: { Instance: ['subnetId'], NATGateway: ['subnetId'], LB: ['subnets'] },
  }),
  awsKind('ec2', {
    kind: 'InternetGateway',
    title: 'EC2 Internet Gateway',
    idPrefix: 'igw-',
    forceNew: ['region'],
    references: { vpcId: 'VPC' },
    blockedBy: {},
  }),
  awsKind('ec2', {
    kind: 'EIP',
    title: 'EC2 EIP',
    idPrefix: 'eipalloc-',
    forceNew: ['domain', 'region'],
    blockedBy: { NATGateway: ['allocationId'] },
    lateInitialized: ['networkInterface'],
    reads: ({ id }, things) => {
      const gateway = things.find(
        ({ kind, attributes }) => kind.kind === 'NATGateway' && attributes['allocationId'] === id,
      );
      return gateway === undefined ? {} : { networkInterface: `eni-${gateway.id.slice('nat-'.length)}` };
    },
    refusesChange: (changed, wanted) =>
      changed.includes('networkInterface')
        ? `api error InvalidNetworkInterfaceID.NotFound: The networkInterface ID '${stringAt(wanted, 'networkInterface') ?? ''}' does not exist`
        : undefined,
    created: ({ id, dice }) => ({ outputs: { allocationId: id, publicIp: publicIp(dice.roll('eip', id)) } }),
  }),
  awsKind('ec2', {
    kind: 'NATGateway',
    withoutArn: true,
    title: 'EC2 NAT Gateway',
    idPrefix: 'nat-',
    seconds: { create: [80, 130], update: [1, 3], delete: [40, 70] },
    forceNew: ['allocationId', 'subnetId', 'connectivityType', 'region'],
    references: { allocationId: 'EIP', subnetId: 'Subnet' },
    created: ({ id, dice }) => ({ outputs: { publicIp: publicIp(dice.roll('eip', id)) } }),
  }),
  awsKind('ec2', {
    kind: 'RouteTable',
    title: 'EC2 Route Table',
    idPrefix: 'rtb-',
    forceNew: ['vpcId', 'region'],
    references: { vpcId: 'VPC' },
    blockedBy: { RouteTableAssociation: ['routeTableId'] },
  }),
  awsKind('ec2', {
    kind: 'Route',
    withoutArn: true,
    title: 'EC2 Route',
    idPrefix: 'r-rtb-',
    forceNew: ['routeTableId', 'destinationCidrBlock', 'region'],
    references: { routeTableId: 'RouteTable', gatewayId: 'InternetGateway', natGatewayId: 'NATGateway' },
    created: () => ({ outputs: { state: 'active', origin: 'CreateRoute' } }),
  }),
  awsKind('ec2', {
    kind: 'FlowLog',
    title: 'EC2 Flow Log',
    idPrefix: 'fl-',
    arn: (id, attributes) => ec2Arn('vpc-flow-log', id, attributes),
    forceNew: [
      'vpcId',
      'logDestination',
      'logDestinationType',
      'iamRoleArn',
      'trafficType',
      'maxAggregationInterval',
      'region',
    ],
    references: { vpcId: 'VPC' },
  }),
  awsKind('ec2', {
    kind: 'RouteTableAssociation',
    withoutArn: true,
    title: 'EC2 Route Table Association',
    idPrefix: 'rtbassoc-',
    forceNew: ['subnetId', 'gatewayId', 'region'],
    references: { routeTableId: 'RouteTable', subnetId: 'Subnet' },
    arn: (id) => `arn:aws:ec2::${ACCOUNT}:route-table-association/${id}`,
  }),
];
