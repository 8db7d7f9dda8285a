/** How names of Azure look. */
import type { DiskType, DiskTypes } from '#lib/cloud/disk-types.ts';
import type { NativeNames } from '#lib/cloud/native-names.ts';
import { architectureOf } from './architecture.ts';
import { ZONE_NAMES } from './zones.ts';

const GROUP = '/subscriptions/[0-9a-f-]+/resourceGroups/[^/]+/providers/Microsoft\\.Compute';
/** Of one's own gallery, of a gallery that is shared or public, or an image that is in no gallery. */
const BY_ID = [
  `${GROUP}/galleries/[^/]+/images/[^/]+(/versions/[^/]+)?`,
  `${GROUP}/images/[^/]+`,
  '/(communityGalleries|sharedGalleries)/[^/]+/images/[^/]+(/versions/[^/]+)?',
];
/** Publisher, offer, plan and version of an image of the marketplace. */
const IN_MARKETPLACE = '[A-Za-z0-9][A-Za-z0-9_.-]*(:[A-Za-z0-9][A-Za-z0-9_.-]*){3}';

/** Azure boots from no disk of the others. */
const BOOTABLE: DiskTypes['root'] = {
  Premium_LRS: {},
  Premium_ZRS: {},
  StandardSSD_LRS: {},
  StandardSSD_ZRS: {},
  Standard_LRS: {},
};

/** Only a machine that was made for them takes disks of UltraSSD_LRS. */
const ULTRA: DiskType = { needs: { kind: 'LinuxVirtualMachine', path: ['additionalCapabilities', 'ultraSsdEnabled'] } };

export const NATIVE_NAMES: NativeNames = {
  instanceType: {
    pattern: /^(Standard|Basic)_[A-Z]{1,3}[0-9][A-Za-z0-9]*(-[0-9]+[a-z]*)?(_[A-Za-z0-9]+)*$/,
    accepted: 'a size of Azure such as Standard_D4s_v5',
  },
  architectureOf,
  image: {
    pattern: new RegExp(`^(${[...BY_ID, IN_MARKETPLACE].join('|')})$`, 'i'),
    accepted: 'an image of Azure such as /communityGalleries/my-gallery/images/ubuntu-2404/versions/1.35.4',
  },
  region: { pattern: /^[a-z]{4,}[0-9]?$/, accepted: 'a region of Azure such as westeurope' },
  zone: ZONE_NAMES,
  diskTypes: { root: BOOTABLE, data: { ...BOOTABLE, PremiumV2_LRS: {}, UltraSSD_LRS: ULTRA } },
  everywhere: 'global',
};
