/** The cases in the order they run: each starts from the state that the ones before it left. */
import { byItselfCase } from './by-itself.ts';
import type { Case } from './case.ts';
import { claimCase } from './claim.ts';
import { deleteCase } from './delete.ts';
import { fidelityCase } from './fidelity.ts';
import { hundredCase } from './hundred.ts';
import { inPlaceCase } from './in-place.ts';
import { installCase } from './install.ts';
import { killsCase } from './kills.ts';
import { lookCase } from './look.ts';
import { restoreCase } from './restore.ts';
import { rollOutCase } from './roll-out.ts';
import { scaleCase } from './scale.ts';
import { swapCase } from './swap.ts';

export const CASES: readonly Case[] = [
  fidelityCase,
  installCase,
  claimCase,
  lookCase,
  scaleCase,
  inPlaceCase,
  rollOutCase,
  byItselfCase,
  killsCase,
  restoreCase,
  swapCase,
  hundredCase,
  deleteCase,
];
