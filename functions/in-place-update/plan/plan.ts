/**
 * Which objects the step looks after, and the whole plan for them, from one request. What `slipway plan` prints is
 * this very plan: nothing is worked out twice.
 */
import type { Request } from '#lib/fn/request.ts';
import { budgetOf, termsOf } from '../budget.ts';
import { readClaims } from '../claims.ts';
import type { InPlaceUpdateInput } from '../input.ts';
import type { Limits } from '../law.ts';
import { type Rulebook, rulebook } from '../rulebook.ts';
import { groupOf, type GroupState, slotOfMember } from './group.ts';
import type { Step } from './step.ts';
import { planUpdate } from './steps.ts';

export interface Plan {
  readonly steps: readonly Step[];
  /** The rules it was made by, with what is wrong with them. */
  readonly book: Rulebook;
  /** Composition resource names of slots and of what is released: the steps take their place. */
  readonly plannedKeys: readonly string[];
  /** Whether the step before keeps objects as they are: a paused pool's, or a pool's that cannot read its Cluster. They were not compared. */
  readonly keeps: boolean;
  /** What the answer may take, whatever the steps are. */
  readonly limits: Limits;
}

/** The plan of one call at its time; nothing is changed by asking for it. */
export function planOf(request: Request, input: InPlaceUpdateInput, now: Date): Plan {
  const { composite } = request.observed;
  const terms = termsOf(composite);
  const group = groupOf(request, input, terms.update.minReadySeconds, now);
  const budget = budgetOf(terms, wantedSlots(group), group.told.leaving);
  const book = rulebook(input);
  const steps = planUpdate(group, { input, book, claims: readClaims(request.context), composite, budget });
  const plannedKeys = [...group.slotKeys, ...group.released.map(({ member }) => member.key)];
  return {
    steps,
    book,
    plannedKeys,
    keeps: group.kept.length > 0,
    limits: { paused: terms.paused, budget, told: group.told },
  };
}

function wantedSlots({ slots, kept }: GroupState): number {
  return new Set([...slots.map(({ slot }) => slot), ...kept.map(slotOfMember)]).size;
}
