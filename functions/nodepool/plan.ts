/**
 * Decides which slots the pool has: which stay, which are removed, which are added, and why. Pure; it knows machines by
 * slot only. How the machine of a kept slot changes is the decision of the in-place-update step.
 */
import { planFirst } from './first-machine.ts';
import { ANNOTATION } from '#lib/api/words.ts';
import type { PoolMachine } from './machines.ts';
import { planNewcomers } from './newcomers.ts';
import { isAsked } from './outdated.ts';
import { moved } from './placement.ts';
import { earliest, MAX_PENDING, planRemediation } from './remediation.ts';
import { scaleDown } from './scale-down.ts';
import { scaleUp } from './scale-up.ts';
import { type Note, PAUSED, type Plan, type PlanInput, type Slot } from './slot.ts';

export function planSlots(input: PlanInput): Plan {
  const { pool, initialized } = input;
  if (pool.spec.role === 'control-plane' && !initialized) return planFirst(input);
  const given = planRemediation(input);
  const newcomers = planNewcomers(input);
  const surplus = given.kept.length - pool.spec.replicas;
  const open = given.pending.filter(({ slot }) => slot === undefined);
  const retries = [...given.pending.filter(({ slot }) => slot !== undefined), ...newcomers.pending];
  const releases = [...newcomers.releases, ...given.releases];
  // An existing machine keeps its annotation.
  const there = new Set(input.machines.map(({ name }) => name));
  const going = new Set(releases.map(({ name }) => name));
  const due = retries.filter(({ machine }) => !there.has(machine) || going.has(machine));
  const scaled = surplus > 0 ? scaleDown(input, given.kept) : scaleUp(input, given.kept, open);
  const asked = input.machines.filter((machine) => isAsked(machine) && !going.has(machine.name));
  const replacements = asked.map(({ name }) => name);
  return {
    slots: moved(input, scaled.slots).map((slot) => retried(slot, due)),
    notes: [...given.notes, ...newcomers.notes, ...asked.map((machine) => askedNote(input, machine)), ...scaled.notes],
    releases: [...releases, ...scaled.releases],
    replacements,
    pending: [...open.filter(({ machine }) => surplus < 0 || there.has(machine)), ...given.recording, ...retries].slice(
      0,
      MAX_PENDING,
    ),
    stopped: newcomers.stopped,
    nextCheck: earliest([given.nextCheck, newcomers.nextCheck]),
  };
}

function askedNote({ pool, noNewMachines }: PlanInput, { name }: PoolMachine): Note {
  const kind = 'Remediating';
  const because = `Machine ${name} has annotation ${ANNOTATION.remediateMachine}`;
  if (pool.spec.paused) return { kind, message: `${because}; ${PAUSED}`, heldBy: 'Paused' };
  if (noNewMachines !== undefined) return { kind, message: `${because}; ${noNewMachines}`, heldBy: 'NoNewMachines' };
  return { kind, message: `${because} and is deleted once its replacement is ready`, announce: true };
}

/** The next machine of a slot records which machine it replaces, if that one failed in this slot. */
function retried(slot: Slot, retries: Plan['pending']): Slot {
  const found = retries.find((one) => one.slot === slot.number);
  if (found === undefined) return slot;
  const { slot: _slot, ...remediationFor } = found;
  return { ...slot, remediationFor };
}
