/** A platform as the repository has it, in which nothing exists yet. */
import { inProcess } from '../../test/support/in-process.ts';
import { compositions, definitions } from '../files/repository.ts';
import type { PlanWorld } from './world.ts';

export const EMPTY_WORLD: PlanWorld = {
  objects: [],
  definitions: definitions(),
  compositions: compositions(),
  functions: inProcess,
  now: new Date('2026-01-01T00:00:00Z'),
};
