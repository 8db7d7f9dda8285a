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

export const talos: Provisioner<'talos'> = {
  ...traits.expresses,
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
