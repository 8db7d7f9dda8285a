/** `raw.talos`: additional documents of Talos by kind, one or a list with names. */
import { isJsonObject } from '#lib/api/json.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import type { Order } from '../provisioner.ts';
import { type Document, document } from './document.ts';

const FORMAT = 'talos';
const FIELD = 'spec.provisioning.raw';

export function rawDocuments({ customisation, owner }: Order<'talos'>): readonly Document[] {
  return Object.entries(customisation.raw[FORMAT] ?? {}).flatMap(([kind, value]) => ofKind(kind, value, owner));
}

function ofKind(kind: string, value: unknown, owner: string): readonly Document[] {
  if (!/^[A-Z][A-Za-z0-9]+Config$/.test(kind))
    throw refusal(
      owner,
      `${FIELD}.${FORMAT}`,
      kind,
      'kinds of documents such as SwapVolumeConfig; fields of the first document go into spec.bootstrap.config.patches',
    );
  const given = (Array.isArray(value) ? value : [value]) as readonly unknown[];
  return given.map((fields) => {
    if (isJsonObject(fields)) return document(kind, fields);
    throw refusalFor(
      owner,
      `${FIELD}.${FORMAT}.${kind}`,
      'is not a document; accepted: an object, or a list of objects',
    );
  });
}
