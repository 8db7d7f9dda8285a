/** What EC2 accepts as user data, in bytes before base64. */
import type { Room } from '#lib/cloud/size.ts';

export const USER_DATA: Room = { title: 'EC2', limit: 16_384 };
