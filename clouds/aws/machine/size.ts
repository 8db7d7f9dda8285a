/** What EC2 accepts as user data, in bytes before base64, and Secrets Manager as one value. */
import type { Room, Rooms } from '#lib/cloud/size.ts';

export const USER_DATA: Room = { title: 'EC2', limit: 16_384 };

export const STORE: Room = { title: 'Secrets Manager', limit: 65_536 };

export const AWS_ROOMS: Rooms = { carrier: USER_DATA, store: STORE };
