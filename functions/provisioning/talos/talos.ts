/**
 * Talos Linux: its machine configuration is its first-boot data, so customisation adds documents to those of the plan.
 */
import type { Payload } from '#lib/api/contracts/payload.ts';
import { yamlDocument } from '#lib/api/yaml.ts';
import type { Order, Provisioner } from '../provisioner.ts';
import { type Document, refuseDuplicates } from './document.ts';
import { withFiles } from './files.ts';
import { withKernel } from './kernel.ts';
import { networkDocuments } from './network.ts';
import { rawDocuments } from './raw.ts';
import { registryDocuments } from './registries.ts';
import { volumeDocuments } from './volumes.ts';
import { traits } from './traits.ts';

const NO_USERS = 'nothing: Talos has no users and no logins';

export const talos: Provisioner<'talos'> = {
  takes: ['talos'],
  limits: {
    users: NO_USERS,
    groups: NO_USERS,
    commands: 'a DaemonSet in spec.bootstrap.config.inlineManifests, since Talos has no shell',
    packages: 'an image with system extensions',
    units: 'an image with system extensions, or a DaemonSet in spec.bootstrap.config.inlineManifests',
    timezone: 'UTC, the only time zone of Talos',
    disks: 'filesystems and mounts of whole disks, or raw.talos with UserVolumeConfig',
    swap: 'raw.talos with SwapVolumeConfig, since Talos swaps to disks, not files',
  },
  render,
};

function render(order: Order<'talos'>): Payload {
  const text = documentsOf(order).map(yamlDocument).join('');
  return {
    contract: 1,
    format: traits.payload,
    contentType: traits.contentType,
    value: Buffer.from(text).toString('base64'),
    // Talos does not decompress it on most platforms.
    gzip: false,
  };
}

function documentsOf(order: Order<'talos'>): readonly Document[] {
  const { plan, owner } = order;
  const planned = plan.documents as readonly Document[];
  const documents = [
    ...withFiles(withKernel(planned, order), order),
    ...networkDocuments(order),
    ...registryDocuments(order),
    ...volumeDocuments(order),
    ...rawDocuments(order),
  ];
  refuseDuplicates(documents, owner);
  return documents;
}
