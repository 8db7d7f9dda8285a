/** The cases in the order they are run: each starts from what the ones before it left. */
import { behindCase } from './behind.ts';
import type { Case } from './case.ts';
import { claimCase } from './claim.ts';
import { deleteCase } from './delete.ts';
import { flowLogCase } from './flow-log.ts';
import { inPlaceCase } from './in-place.ts';
import { killsCase } from './kills.ts';
import { growCase, rollCase } from './pools.ts';
import { restCase } from './rest.ts';
import { secretsCase } from './secrets.ts';
import { throttlingCase } from './throttling.ts';
import { volumesCase } from './volumes.ts';

export const CASES: readonly Case[] = [
  claimCase,
  restCase,
  growCase,
  rollCase,
  inPlaceCase,
  volumesCase,
  behindCase,
  killsCase,
  throttlingCase,
  flowLogCase,
  secretsCase,
  deleteCase,
];
