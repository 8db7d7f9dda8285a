/** What Azure accepts, in bytes. */
import type { Room } from '#lib/cloud/size.ts';

/** Before base64. */
export const CUSTOM_DATA: Room = { title: 'custom data', limit: 65_535 };

/** Of the value of one secret in a vault. */
export const SECRET_LIMIT = 25_000;
/** Of the secrets of one machine. */
export const MOST_PARTS = 8;
