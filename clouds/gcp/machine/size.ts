/** What metadata of a machine accepts in one value. */
import type { Room } from '#lib/cloud/size.ts';

export const METADATA: Room = { title: 'metadata', limit: 262_144 };
