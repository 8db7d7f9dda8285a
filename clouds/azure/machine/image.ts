/** The two fields for an image: its id, or what the marketplace calls it. */
import type { JsonObject } from '#lib/api/json.ts';

/** @param image such as /communityGalleries/… or publisher:offer:sku:version */
export function imageFields(image: string | undefined): JsonObject {
  if (image === undefined) return {};
  if (image.startsWith('/')) return { sourceImageId: image };
  const [publisher = '', offer = '', sku = '', version = ''] = image.split(':');
  return { sourceImageReference: { publisher, offer, sku, version } };
}
