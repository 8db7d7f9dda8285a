/** How names of AWS look. */
import type { NativeNames } from '#lib/cloud/native-names.ts';
import { ZONE_NAMES } from './zones.ts';

/** AWS boots from no volume of st1 or sc1. */
const BOOTABLE = ['gp2', 'gp3', 'io1', 'io2', 'standard'];

export const NATIVE_NAMES: NativeNames = {
  instanceType: {
    pattern: /^[a-z][a-z0-9-]*\.(nano|micro|small|medium|large|[0-9]*xlarge|metal(-[0-9]+xl)?)$/,
    accepted: 'an instance type of AWS such as m6i.xlarge',
  },
  image: { pattern: /^ami-([0-9a-f]{8}|[0-9a-f]{17})$/, accepted: 'an AMI id such as ami-0123456789abcdef0' },
  region: { pattern: /^[a-z]{2}(-[a-z]+)+-\d$/, accepted: 'a region of AWS such as eu-west-1' },
  zone: ZONE_NAMES,
  diskTypes: { root: BOOTABLE, data: [...BOOTABLE, 'sc1', 'st1'] },
};
