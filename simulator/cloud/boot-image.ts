/** A machine boots an image of its own architecture only. */
import type { JsonObject } from '#lib/api/json.ts';
import { architectureOfImage } from '../nodes/images.ts';
import type { Store } from '../store/store.ts';
import type { CloudKind } from './kind.ts';

/** Why the cloud does not boot the image on the size; undefined if it does, or if it is not known what they are. */
export function refusedImage(store: Store, kind: CloudKind, attributes: JsonObject): string | undefined {
  const { image, architecture, refusal } = kind.boots?.(attributes) ?? {};
  if (image === undefined || architecture === undefined) return undefined;
  const found = architectureOfImage(store, image);
  return found === undefined || found === architecture ? undefined : refusal?.(found, architecture);
}
