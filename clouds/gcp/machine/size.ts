/** What metadata of a machine accepts in one value, and Secret Manager, in bytes. */
import type { Room, Rooms } from '#lib/cloud/size.ts';

export const METADATA: Room = { title: 'metadata', limit: 262_144 };

export const STORE: Room = { title: 'Secret Manager', limit: 65_536 };

export const GCP_ROOMS: Rooms = { carrier: METADATA, store: STORE };
