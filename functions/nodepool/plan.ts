/**
 * Decides which slots the pool has: which stay, which go, which come, and why. Pure; it knows machines by slot
 * only. What a kept slot's machine is turned into, and how, is the in-place-update step's decision.
 */
import { planFirst } from './first-machine.ts';
import { planRemediation } from './remediation.ts';
import { scaleDown } from './scale-down.ts';
import { scaleUp } from './scale-up.ts';
import type { Plan, PlanInput } from './slot.ts';

export function planSlots(input: PlanInput): Plan {
  const { pool, initialized } = input;
  if (pool.spec.role === 'control-plane' && !initialized) return planFirst(input);
  const { kept, notes, pending, nextCheck } = planRemediation(input);
  const surplus = kept.length - pool.spec.replicas;
  const scaled = surplus > 0 ? scaleDown(input, kept) : scaleUp(input, kept, pending);
  return {
    slots: scaled.slots,
    notes: [...notes, ...scaled.notes],
    pending: surplus < 0 ? pending : [],
    nextCheck,
  };
}
