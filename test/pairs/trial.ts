/** Lives as inputs of a search. */
import type { Trial } from '../plan/search.ts';
import { aLife } from './generated.ts';
import type { Life } from './life.ts';
import { live } from './twin.ts';

export const LIVES: Trial<Life> = {
  inputs: aLife(),
  judge: async (life) => (await live(life)).broken,
  command: 'npm run pairs',
};
