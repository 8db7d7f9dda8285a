/**
 * Selects the objects of the step and makes the whole plan for them, from one request. `slipway plan` prints exactly
 * this plan; nothing is calculated twice.
 */
import type { Group } from '#lib/api/contracts/group.ts';
import type { Request } from '#lib/fn/request.ts';
import { budgetOf, termsOf } from '../budget.ts';
import { readClaims } from '../claims.ts';
import type { InPlaceUpdateInput } from '../input.ts';
import type { Limits } from '../law.ts';
import { type Rulebook, rulebook } from '../rulebook.ts';
import { groupOf, type GroupState, slotOfMember } from './group.ts';
import type { Member, Step } from './step.ts';
import { planUpdate } from './steps.ts';

export interface Plan {
  readonly steps: readonly Step[];
  /** The rules of the plan, with their errors. */
  readonly book: Rulebook;
  /** Composition resource names of slots and of released objects, which the steps replace. */
  readonly plannedKeys: readonly string[];
  /** Objects that the previous step keeps unchanged (a paused pool, or a pool that cannot read its Cluster). */
  readonly kept: readonly Member[];
  /** What the previous step says of objects that wait. */
  readonly held: Group['held'];
  /** What the response may remove, whatever the steps are. */
  readonly limits: Limits;
}

/** The plan of one call at its time; a pure function. */
export function planOf(request: Request, input: InPlaceUpdateInput, now: Date): Plan {
  const { composite } = request.observed;
  const terms = termsOf(composite);
  const group = groupOf(request, input, terms.update.minReadySeconds, now);
  const budget = budgetOf(terms, wantedSlots(group), group.received.leaving);
  const book = rulebook(input);
  const steps = planUpdate(group, { input, book, claims: readClaims(request.context), composite, budget });
  const plannedKeys = [...group.slotKeys, ...group.released.map(({ member }) => member.key)];
  return {
    steps,
    book,
    plannedKeys,
    kept: group.kept,
    held: group.received.held,
    limits: { paused: terms.paused, budget, received: group.received },
  };
}

function wantedSlots({ slots, kept }: GroupState): number {
  return new Set([...slots.map(({ slot }) => slot), ...kept.map(slotOfMember)]).size;
}
