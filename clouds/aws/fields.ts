/** Which fields of an EC2 instance Slipway sets, and what a change of each does. */
import type { CloudFields } from '#lib/cloud/fields.ts';
import { dataDisks } from './devices.ts';

/** In the order in which messages list the fields that a machine keeps. */
export const AWS_FIELDS = {
  kind: 'ec2.aws.m.upbound.io/Instance',
  made: [
    { field: 'ami', of: ['spec.machine.image'], change: 'Replaces' },
    { field: 'instanceType', of: ['spec.machine.class', 'spec.machine.instanceType'], change: 'Stops' },
    { field: 'subnetId', of: ['spec.failureDomain'], change: 'Replaces' },
    { field: 'keyName', of: [], change: 'Replaces' },
    { field: 'instanceMarketOptions', of: ['spec.machine.capacityType'], change: 'Replaces' },
    { field: 'rootBlockDevice.volumeSize', of: ['spec.machine.rootDisk.sizeGiB'], change: 'Runs' },
    { field: 'rootBlockDevice.volumeType', of: ['spec.machine.rootDisk.type'], change: 'Runs' },
    { field: 'rootBlockDevice.encrypted', of: ['spec.machine.rootDisk.encrypted'], change: 'Replaces' },
    { field: 'ebsBlockDevice', of: ['spec.machine.dataDisks'], change: 'Replaces' },
  ],
  alsoStop: ['userData', 'userDataBase64', 'capacityReservationSpecification'],
  alsoReplaces: ['instanceMarketOptions', 'ebsBlockDevice'],
  spot: {
    fields: {
      instanceMarketOptions: {
        marketType: 'spot',
        spotOptions: { instanceInterruptionBehavior: 'terminate', spotInstanceType: 'one-time' },
      },
    },
    toldBy: ['instanceMarketOptions', 'marketType'],
  },
  live: {
    resource: 'instance',
    returning: [
      'tags',
      'vpcSecurityGroupIds',
      'metadataOptions.httpEndpoint',
      'metadataOptions.httpTokens',
      'metadataOptions.httpPutResponseHopLimit',
    ],
    lasting: [
      'disableApiStop',
      'disableApiTermination',
      'iamInstanceProfile',
      'instanceInitiatedShutdownBehavior',
      'monitoring',
      'sourceDestCheck',
    ],
  },
  dataDisks,
} as const satisfies CloudFields;

/** Blocks that an instance keeps, with fields of their own. */
type Block = 'instanceMarketOptions' | 'ebsBlockDevice';
const BLOCKS: ReadonlySet<string> = new Set<Block>(['instanceMarketOptions', 'ebsBlockDevice']);

type Made = (typeof AWS_FIELDS)['made'][number];
type Kept = Exclude<Made, { readonly change: 'Runs' } | { readonly field: `${string}.${string}` | Block }>;

/** Fields of forProvider, without blocks, that an existing instance keeps: a change would stop or replace it. */
export type KeptField = Kept['field'];
export const KEPT_FIELDS: readonly KeptField[] = AWS_FIELDS.made
  .filter((made): made is Kept => made.change !== 'Runs' && !BLOCKS.has(made.field) && !made.field.includes('.'))
  .map(({ field }) => field);
