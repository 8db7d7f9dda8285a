/** What Azure accepts, in bytes. */
import type { Room, Rooms } from '#lib/cloud/size.ts';

/** Before base64. */
export const CUSTOM_DATA: Room = { title: 'custom data', limit: 65_535 };

/** Of the value of one secret in a vault. */
export const SECRET_LIMIT = 25_000;
/** Of the secrets of one machine. */
export const MOST_PARTS = 8;

/** The secrets together, in which more than one holds base64. */
export const AZURE_ROOMS: Rooms = {
  carrier: CUSTOM_DATA,
  store: { title: 'Key Vault', limit: (MOST_PARTS * SECRET_LIMIT * 3) / 4 },
};
