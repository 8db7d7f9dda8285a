/**
 * The cases of each suite in the order they are run: each starts from what the ones before it left. Every suite has a
 * lab of its own, and all of them run side by side.
 */
import { addonsCase } from './addons.ts';
import { byItselfCase } from './by-itself.ts';
import type { Platform } from '../packages/platform.ts';
import type { Case } from './case.ts';
import { claimCase } from './claim.ts';
import { cloudCases } from './clouds.ts';
import { deleteCase } from './delete.ts';
import { engineCase } from './engine.ts';
import { fidelityCase } from './fidelity.ts';
import { hundredCase } from './hundred.ts';
import { inPlaceCase } from './in-place.ts';
import { installCase } from './install.ts';
import { killsCase } from './kills.ts';
import { liveCase } from './live.ts';
import { lookCase } from './look.ts';
import { requestsCase } from './requests.ts';
import { restCase } from './rest.ts';
import { restoreCase } from './restore.ts';
import { rightsCase } from './rights.ts';
import { rollOutCase } from './roll-out.ts';
import { scaleCase } from './scale.ts';
import { sizesCase } from './sizes.ts';
import { swapCase } from './swap.ts';
import { tenantCase } from './tenant.ts';
import { unprotectedCase } from './unprotected.ts';

const claims: readonly Case[] = [
  fidelityCase,
  installCase,
  claimCase,
  lookCase,
  liveCase,
  addonsCase,
  scaleCase,
  requestsCase,
  inPlaceCase,
  killsCase,
  restoreCase,
  hundredCase,
  swapCase,
  deleteCase,
];

/** With the settings that the pages recommend: the other suite installs and claims on a Crossplane as it comes. */
const recommended = ({ defaults: _defaults, counted: _counted, ...one }: Case): Case => one;

const releases: readonly Case[] = [
  recommended(installCase),
  recommended(claimCase),
  tenantCase,
  rollOutCase,
  byItselfCase,
  unprotectedCase,
  rightsCase,
];

/** Ten minutes in which nothing happens. */
const rest: readonly Case[] = [recommended(installCase), recommended(claimCase), restCase];

/** How much more many machines cost than few. */
const sizes: readonly Case[] = [recommended(installCase), recommended(claimCase), sizesCase];

/** With `--crossplane 2.3.4`. */
const engine: readonly Case[] = [recommended(installCase), recommended(claimCase), engineCase];

export const SUITES: Readonly<Record<string, readonly Case[]>> = {
  claims,
  releases,
  clouds: cloudCases,
  rest,
  sizes,
  engine,
};

/** Suites that run when nobody chooses; the others take minutes more, and are for changes of what they are about. */
export const USUAL: readonly string[] = ['claims', 'releases'];

/** What a suite's platform sets in its Compositions; otherwise they are as published. */
export const PLATFORMS: Readonly<Record<string, Platform>> = {
  releases: { inputs: { BootstrapInput: { providerNodeRights: 'Role' } } },
};
