/** Zones of a cloud that a platform names. */
import { z } from 'zod';

const word = () => z.string().min(1).max(63);

export const ZONES = z
  .record(word(), z.array(word()).min(1).max(7))
  .prefault({})
  .describe('Zones to use, by region of the cloud. Default for other regions: zones a, b and c.');
