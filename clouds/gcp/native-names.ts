/** How names of GCP look. */
import type { DiskTypes } from '#lib/cloud/disk-types.ts';
import type { NativeNames } from '#lib/cloud/native-names.ts';
import { architectureOf } from './architecture.ts';
import { ZONE_NAMES } from './zones.ts';

/** The names of Compute Engine: a letter first, no dash last. */
const NAME = '[a-z]([-a-z0-9]*[a-z0-9])?';
/** A family has a number in its name, such as n2 or c2d; a neutral class has none. */
const FAMILY = '[a-z]+[0-9]+[a-z]*';
const SHAPE = 'standard|(high|mega|ultra|hyper|max|edge)(mem|cpu|gpu|tpu)';

/** GCP boots from no disk of the others. */
const BOOTABLE: DiskTypes['root'] = {
  'hyperdisk-balanced': {},
  'pd-balanced': {},
  'pd-extreme': { smallestGiB: 500 },
  'pd-ssd': {},
  'pd-standard': {},
};

export const NATIVE_NAMES: NativeNames = {
  instanceType: {
    pattern: new RegExp(
      `^(${FAMILY}-((${SHAPE})-[0-9]+[gt]?(-[a-z]+)*|micro|small|medium)|(${FAMILY}-)?custom-((micro|small|medium)|[0-9]+)-[0-9]+(-ext)?)$`,
    ),
    accepted: 'a machine type of GCP such as n2-standard-4',
  },
  architectureOf,
  image: {
    pattern: new RegExp(
      `^(https://[^/]+/compute/v1/)?projects/([a-z0-9.-]+:)?[a-z0-9-]+/global/images/(family/)?${NAME}$`,
    ),
    accepted: 'an image of GCP such as projects/my-project/global/images/node-v1-35-4',
  },
  region: { pattern: /^[a-z]+-[a-z]+[0-9]+$/, accepted: 'a region of GCP such as europe-west1' },
  zone: ZONE_NAMES,
  // Without hyperdisk-balanced-high-availability, whose disks are of two zones: those of a machine are of one.
  diskTypes: {
    root: BOOTABLE,
    data: {
      ...BOOTABLE,
      'hyperdisk-extreme': { smallestGiB: 64 },
      'hyperdisk-ml': {},
      'hyperdisk-throughput': { smallestGiB: 2048 },
    },
    smallestRootGiB: 10,
  },
  everywhere: 'global',
};
