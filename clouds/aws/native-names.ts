/** How names of AWS look. */
import type { DiskType, DiskTypes } from '#lib/cloud/disk-types.ts';
import type { NativeNames } from '#lib/cloud/native-names.ts';
import { architectureOf } from './architecture.ts';
import { ZONE_NAMES } from './zones.ts';

const ANYWHERE: DiskTypes['data'] = { gp2: {}, gp3: {}, standard: { largestGiB: 1024 } };

/** No claim says IOPS, without which AWS makes no volume of these. */
const PROVISIONED: DiskType = { needs: { kind: 'Instance', path: ['rootBlockDevice', 'iops'] } };

export const NATIVE_NAMES: NativeNames = {
  instanceType: {
    pattern: /^[a-z][a-z0-9-]*\.(nano|micro|small|medium|large|[0-9]*xlarge|metal(-[0-9]+xl)?)$/,
    accepted: 'an instance type of AWS such as m6i.xlarge',
  },
  architectureOf,
  image: { pattern: /^ami-([0-9a-f]{8}|[0-9a-f]{17})$/, accepted: 'an AMI id such as ami-0123456789abcdef0' },
  region: { pattern: /^[a-z]{2}(-[a-z]+)+-\d$/, accepted: 'a region of AWS such as eu-west-1' },
  zone: ZONE_NAMES,
  diskTypes: {
    root: { ...ANYWHERE, io1: PROVISIONED, io2: PROVISIONED },
    // Data disks are one list, which no override can add IOPS to.
    data: { ...ANYWHERE, sc1: { smallestGiB: 125 }, st1: { smallestGiB: 125 } },
  },
};
