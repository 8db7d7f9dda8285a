/**
 * Which slots are given up because their machine is unhealthy: no more than the policy lets go at once, and of a
 * control plane one at a time, while the others keep etcd's majority.
 */
import type { Remediation } from '#lib/api/kinds/node-pool.ts';
import { ANNOTATION } from '#lib/api/words.ts';
import { judge } from './health.ts';
import type { PoolMachine } from './machines.ts';
import { deferred, heldAll, type Patient, roomOf } from './remediation-limits.ts';
import { type Note, type PlanInput, type Slot, slotsOf } from './slot.ts';
import { isExempt, openOf, successionOf } from './succession.ts';

export interface Outcome {
  readonly kept: readonly Slot[];
  readonly notes: readonly Note[];
  /** Machines that were given up, in this call or before, and have no successor yet. */
  readonly pending: readonly Remediation[];
  readonly nextCheck: number | undefined;
}

export function planRemediation(input: PlanInput): Outcome {
  const slots = slotsOf(input.machines);
  const kept = slots.map(([slot]) => slot);
  const patients = slots.flatMap(([slot, members]) => patientOf(input, slot, members));
  const pending = openOf(input);
  const dues = patients.map(({ health }) => health.due);
  const unhealthy = patients.filter(({ health }) => health.state === 'Unhealthy').sort(byUrgency);
  const [first] = unhealthy;
  const held = first === undefined ? undefined : heldAll(input, patients, first);
  if (first === undefined || held !== undefined)
    return { kept, notes: held === undefined ? underWay(patients, pending) : [held], pending, nextCheck: least(dues) };

  const verdicts = unhealthy.map((patient) => ({ patient, next: successionOf(input, patient.machine) }));
  const ripe = verdicts.flatMap(({ patient, next }) => ('heldBy' in next ? [] : [{ patient, next }]));
  const early = verdicts.flatMap(({ patient, next }) => ('heldBy' in next ? [{ patient, next }] : []));
  const room = roomOf(input, patients, pending);
  const givenUp = ripe.slice(0, room);
  const gone = new Set(givenUp.map(({ patient }) => patient.slot));
  return {
    kept: kept.filter((slot) => !gone.has(slot)),
    notes: [
      ...givenUp.map(({ patient }) => replaced(patient)),
      ...early.map(({ patient, next }) => deferred(patient, next.heldBy, next.why)),
      ...ripe
        .slice(room)
        .map(({ patient }) => deferred(patient, 'RemediationDeferred', 'others are replaced before it')),
    ],
    pending: [...pending, ...givenUp.map(({ next }) => next)].slice(0, LONGEST),
    nextCheck: least([...dues, ...early.map(({ next }) => next.due)]),
  };
}

/** As many as the schema of the status takes. */
const LONGEST = 50;

const WELL = ['Healthy', 'Starting', 'Failing', 'Unhealthy'] as const;

/** A slot is as well as the best of its machines: while one is succeeded, the next step sees to both. */
function patientOf({ pool, now }: PlanInput, slot: Slot, members: readonly PoolMachine[]): readonly Patient[] {
  if (members.some(isExempt)) return [];
  const judged = members.map((machine) => ({ machine, health: judge(machine, pool.spec.health, now) }));
  const [best] = judged.toSorted((a, b) => WELL.indexOf(a.health.state) - WELL.indexOf(b.health.state));
  return best === undefined ? [] : [{ slot, members, ...best }];
}

/** What somebody asked for, then what is lost, then what never was a node. */
function byUrgency(a: Patient, b: Patient): number {
  return urgencyOf(a.machine) - urgencyOf(b.machine) || a.slot.number - b.slot.number;
}

function urgencyOf({ annotations, lost, isNode }: PoolMachine): number {
  if (ANNOTATION.remediateMachine in annotations) return 0;
  if (lost) return 1;
  return isNode ? 3 : 2;
}

function replaced({ machine, health }: Patient): Note {
  return { kind: 'Remediating', message: `Machine ${machine.name} ${health.because} and gets a successor` };
}

/** What was given up before and whose successor is not a Node yet. */
function underWay(patients: readonly Patient[], pending: readonly Remediation[]): readonly Note[] {
  const joining = patients.flatMap(({ slot, machine, health }) =>
    slot.remediationFor !== undefined && health.state === 'Starting'
      ? [`Machine ${machine.name} succeeds ${slot.remediationFor.machine} and is no Node yet`]
      : [],
  );
  const open = pending.map(({ machine }) => `Machine ${machine} was given up and gets a successor`);
  return [...open, ...joining].map((message) => ({ kind: 'Remediating', message }));
}

function least(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
