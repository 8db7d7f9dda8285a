/** Sorts the objects of one slot: which one stays, which may be deleted, which must change and how. */
import { counted } from '#lib/api/counted.ts';
import type { FieldDecision } from '../decision.ts';
import { strongest } from '../rules.ts';
import { wayBack } from './order.ts';
import { HELD } from './reasons.ts';
import { applied, type Candidate, frozen, replacedBy, type SlotState, type Step } from './step.ts';

/** An object that is deleted. */
export interface Surplus extends Candidate {
  readonly reason: string;
  /** By which one; undefined: no other takes its place. */
  readonly replaced?: string;
}

export interface SlotPlan {
  readonly state: SlotState;
  /** Steps that are already decided. */
  readonly steps: readonly Step[];
  /** Objects that may be deleted as soon as enough others are ready. */
  readonly surplus: readonly Surplus[];
  /** The object that needs a replacement and has none. */
  readonly old: Candidate | undefined;
  /** The object that needs an in-place update that was not requested yet. */
  readonly outdated: Candidate | undefined;
}

/** Rank of an object in a slot: an up-to-date one before one that must be updated or is held. */
const WORTH: readonly (readonly (FieldDecision | undefined)[])[] = [
  [undefined, 'Ignore', 'Patch'],
  ['Update'],
  ['Hold'],
];

/** @param asked names of objects to replace although they are up to date */
export function planSlot(
  state: SlotState,
  candidates: readonly Candidate[],
  asked: ReadonlySet<string> = new Set(),
): SlotPlan {
  if (state.members.some(({ unobserved }) => unobserved)) return wait(state, candidates);
  const sorted = candidates.toSorted(
    (a, b) =>
      Number(b.member.available) - Number(a.member.available) ||
      Number(b.member.ready) - Number(a.member.ready) ||
      Number(asked.has(a.member.name)) - Number(asked.has(b.member.name)) ||
      (a.member.key < b.member.key ? -1 : 1),
  );
  const [fits] = WORTH.flatMap((worth) =>
    sorted.filter(({ fields, member }) => !asked.has(member.name) && worth.includes(strongest(fields))),
  );
  return fits === undefined ? succeed(state, sorted, asked) : keep(state, fits, sorted);
}

/** An object of the slot is missing from the observation: all of them stay as they are until their state is known. */
function wait(state: SlotState, candidates: readonly Candidate[]): SlotPlan {
  const reason = 'it stays as it is until it is observed again';
  const steps = candidates.map((one) => ({ ...frozen('Keep', state.slot, one, reason), upToDate: true }));
  return { state, steps, surplus: [], old: undefined, outdated: undefined };
}

/** The best object is replaced; if another one is ready, an object with a requested replacement is just deleted. */
function succeed(state: SlotState, [old, ...others]: readonly Candidate[], asked: ReadonlySet<string>): SlotPlan {
  const reasonOf = ({ member }: Candidate): string =>
    asked.has(member.name)
      ? `its replacement was requested, and ${old?.member.name ?? 'another machine'} exists`
      : 'it was a replacement that is no longer needed';
  // No field of a machine changes that is only deleted.
  const surplus = others.map((one) => ({ ...one, fields: [], reason: reasonOf(one) }));
  const none = { state, surplus, old: undefined, outdated: undefined };
  // A started update never becomes a replacement.
  if (old?.ordered.progress === 'UnderWay') return { ...none, steps: [underWay(state, old)] };
  return { ...none, steps: [], old };
}

function keep(state: SlotState, fits: Candidate, sorted: readonly Candidate[]): SlotPlan {
  const { name, available } = fits.member;
  const predecessors = sorted.filter((one) => one !== fits);
  const staying = available ? [] : predecessors.filter(({ member }) => member.available);
  const replaced = replacedBy(name);
  const reason = available ? `its replacement ${name} is ready` : `it is not ready and ${name} is created instead`;
  const waiting = strongest(fits.fields) === 'Update' && fits.ordered.progress !== 'UnderWay';
  return {
    state,
    steps: [
      ...(waiting ? [] : [settle(state, fits)]),
      ...staying.map((one) => ({
        ...frozen('Keep', state.slot, one, `it is kept until its replacement ${name} is ready`, name),
        replaced,
      })),
    ],
    surplus: predecessors.filter((one) => !staying.includes(one)).map((one) => ({ ...one, reason, replaced })),
    old: undefined,
    outdated: waiting ? fits : undefined,
  };
}

/** The object stays, with the fields that may be patched. */
function settle(state: SlotState, one: Candidate): Step {
  const { fields, ordered } = one;
  if (ordered.progress === 'UnderWay' || ordered.progress === 'Pending') return underWay(state, one);
  const held = fields.filter(({ decision }) => decision === 'Hold');
  const [first] = held;
  if (first !== undefined) {
    const why = first.hold === 'Fallback' ? HELD.fallback(first.reason) : first.reason;
    return applied(state, one, ['Patch'], undefined, {
      action: 'Hold',
      upToDate: false,
      reason: held.length === 1 ? why : HELD.several(held.length, why),
      ...(first.blockedBy === undefined ? {} : { blockedBy: first.blockedBy }),
    });
  }
  const way = ordered.progress === 'Failed' ? wayBack(fields, ordered) : undefined;
  if (way !== undefined)
    return applied(state, one, ['Patch'], way, {
      action: 'Update',
      upToDate: false,
      reason: `the changes of its failed update ${ordered.order?.id ?? ''} are no longer desired`,
    });
  if (ordered.progress === 'Failed') {
    return applied(state, one, ['Patch'], undefined, {
      action: 'Hold',
      upToDate: false,
      reason: HELD.failed(ordered.message),
      blockedBy: `update ${ordered.order?.id ?? ''}`.trim(),
    });
  }
  const patched = fields.filter(({ decision }) => decision === 'Patch').length;
  return applied(state, one, ['Patch'], undefined, {
    action: patched === 0 ? 'Keep' : 'Patch',
    upToDate: true,
    reason: patched === 0 ? 'it is up to date' : `${counted(patched, 'changed field')} can be patched`,
  });
}

/** Other changes wait for the end of the update, except patches. */
function underWay(state: SlotState, one: Candidate): Step {
  const { order, phase, message } = one.ordered;
  const waits = phase === 'Pending' && message !== undefined ? `: ${message}` : '';
  const more = one.fields.some(({ decision }) => decision !== 'Patch' && decision !== 'Ignore');
  return applied(state, one, ['Patch'], undefined, {
    action: 'Update',
    upToDate: false,
    reason: `its update ${order?.id ?? ''} is ${phase}${waits}${more ? '; later changes follow' : ''}`,
    ...(more ? { blockedBy: `update ${order?.id ?? ''}`.trim() } : {}),
  });
}
