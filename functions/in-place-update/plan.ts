/**
 * Decides how each slot gets from what exists to what is desired: nothing, a patch, or a successor that is made
 * before the old object goes. Derived from what is observed at every call; no plan is stored anywhere.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { changesBetween } from './diff.ts';
import type { InPlaceUpdateInput } from './input.ts';
import { keepIgnored } from './patch.ts';
import { type Decided, decide, type Rulebook, strongest } from './rules.ts';

/** An existing object of a slot. */
export interface Member {
  readonly key: string;
  readonly name: string;
  readonly object: KubeObject;
  readonly ready: boolean;
}

export interface SlotState {
  readonly slot: string;
  readonly desired: KubeObject;
  readonly members: readonly Member[];
}

/** What happens to one object, and why. Drop: it is not desired any more. Wait: it comes when the budget has room. */
export interface Step {
  readonly action: 'Create' | 'Keep' | 'Patch' | 'Hold' | 'Drop' | 'Wait';
  readonly slot: string;
  /** Name of the object. */
  readonly name: string;
  /** Composition resource name and object to desire; absent for Drop and Wait. */
  readonly out?: { readonly key: string; readonly object: KubeObject; readonly ready: boolean };
  /** Fields that differ from what is desired. */
  readonly fields: readonly Decided[];
  /** Whether the object is, or will be after this step, what is desired. */
  readonly upToDate: boolean;
  readonly reason: string;
}

export interface Budget {
  /** How many objects there may be, those on their way out included. */
  readonly maxTotal: number;
  /** How many must be ready. */
  readonly minAvailable: number;
  /** Objects already on their way out: they still count. */
  readonly leaving: number;
  readonly strategy: 'RollingUpdate' | 'OnDelete';
  readonly fallback: 'Recreate' | 'Hold';
}

interface Candidate {
  readonly member: Member;
  readonly fields: readonly Decided[];
}

export function planUpdate(
  slots: readonly SlotState[],
  input: InPlaceUpdateInput,
  book: Rulebook,
  budget: Budget,
): readonly Step[] {
  const verdicts = slots.map((state) => judge(state, input, book));
  const members = slots.flatMap((state) => state.members);
  const room = new Room(budget, members.length + budget.leaving, members.filter(({ ready }) => ready).length);
  const settled = verdicts.flatMap(({ steps }) => steps);
  const surplus = verdicts.flatMap((verdict) => verdict.surplus.map((one) => release(verdict.state.slot, one, room)));
  const missing = verdicts.filter(({ state }) => state.members.length === 0).map(({ state }) => create(state, room));
  // Those that are not ready first: replacing them costs nothing.
  const outdated = verdicts
    .filter((verdict) => verdict.old !== undefined)
    .sort((a, b) => Number(a.old?.member.ready) - Number(b.old?.member.ready));
  return [...settled, ...surplus, ...missing, ...outdated.flatMap((verdict) => replace(verdict, budget, room))];
}

interface Verdict {
  readonly state: SlotState;
  /** What is already certain. */
  readonly steps: readonly Step[];
  /** Objects that may go as soon as enough others are ready. */
  readonly surplus: readonly (Candidate & { readonly reason: string })[];
  /** The object that needs a successor and has none. */
  readonly old: Candidate | undefined;
}

function judge(state: SlotState, input: InPlaceUpdateInput, book: Rulebook): Verdict {
  const candidates = state.members
    .map((member) => ({
      member,
      fields: changesBetween(member.object, state.desired, input.ownership).map((change) => decide(book, change)),
    }))
    .sort((a, b) => Number(b.member.ready) - Number(a.member.ready) || (a.member.key < b.member.key ? -1 : 1));
  const fits = candidates.find(({ fields }) => strongest(fields) !== 'Recreate');
  const [old, ...others] = fits === undefined ? candidates : [undefined, ...candidates.filter((one) => one !== fits)];
  if (fits === undefined) {
    const surplus = others.flatMap((one) =>
      one === undefined ? [] : [{ ...one, reason: 'it was a successor that is not wanted any more' }],
    );
    return { state, steps: [], surplus, old };
  }
  const predecessors = others.flatMap((one) => (one === undefined ? [] : [one]));
  const staying = fits.member.ready ? [] : predecessors.filter(({ member }) => member.ready);
  const leaving = predecessors.filter((one) => !staying.includes(one));
  const reason = fits.member.ready
    ? `its successor ${fits.member.name} is ready`
    : `it is not ready and ${fits.member.name} is made instead`;
  return {
    state,
    steps: [
      settle(state, fits),
      ...staying.map((one) =>
        frozen('Keep', state.slot, one, `it stays until its successor ${fits.member.name} is ready`),
      ),
    ],
    surplus: leaving.map((one) => ({ ...one, reason })),
    old: undefined,
  };
}

/** It goes when that leaves enough that are ready. */
function release(slot: string, one: Candidate & { readonly reason: string }, room: Room): Step {
  if (room.takeUnavailable(one.member.ready)) return drop(slot, one.member, one.reason);
  return frozen('Keep', slot, one, 'it stays until enough others are ready');
}

/** The object stays, with the fields that may be patched; ignored ones keep what they are. */
function settle({ slot, desired }: SlotState, { member, fields }: Candidate): Step {
  const patched = fields.filter(({ decision }) => decision === 'Patch').length;
  const object = keepIgnored({ ...desired, metadata: { ...desired.metadata, name: member.name } }, fields);
  const out = { key: member.key, object, ready: member.ready };
  const reason =
    patched === 0 ? 'it is what is desired' : `${patched} changed field${patched === 1 ? '' : 's'} can be patched`;
  return { action: patched === 0 ? 'Keep' : 'Patch', slot, name: member.name, out, fields, upToDate: true, reason };
}

function replace({ state, old }: Verdict, budget: Budget, room: Room): readonly Step[] {
  if (old === undefined) return [];
  const { slot } = state;
  if (budget.strategy === 'OnDelete')
    return [frozen('Hold', slot, old, 'it is replaced when somebody deletes it (OnDelete)')];
  if (budget.fallback === 'Hold')
    return [frozen('Hold', slot, old, 'its change cannot be made in place and fallback is Hold')];
  if (room.takeSurge())
    return [frozen('Keep', slot, old, 'it stays until its successor is ready'), created(state, old.member)];
  if (room.takeUnavailable(old.member.ready)) return [drop(slot, old.member, 'it makes room for its successor')];
  return [frozen('Keep', slot, old, 'its successor waits for its turn')];
}

function create(state: SlotState, room: Room): Step {
  if (room.takeSurge()) return created(state, undefined);
  const name = state.desired.metadata?.name ?? state.slot;
  return {
    action: 'Wait',
    slot: state.slot,
    name,
    fields: [],
    upToDate: false,
    reason: 'it comes once one that is leaving is gone',
  };
}

function created({ slot, desired }: SlotState, replaces: Member | undefined): Step {
  const name = desired.metadata?.name ?? slot;
  const reason = replaces === undefined ? 'its slot is empty' : `it succeeds ${replaces.name}`;
  return {
    action: 'Create',
    slot,
    name,
    out: { key: name, object: desired, ready: false },
    fields: [],
    upToDate: false,
    reason,
  };
}

function drop(slot: string, member: Member, reason: string): Step {
  return { action: 'Drop', slot, name: member.name, fields: [], upToDate: false, reason };
}

/** As it is, to the field: it is not touched while it waits. */
function frozen(action: 'Keep' | 'Hold', slot: string, { member, fields }: Candidate, reason: string): Step {
  return {
    action,
    slot,
    name: member.name,
    out: { key: member.key, object: asDesired(member.object), ready: member.ready },
    fields,
    upToDate: false,
    reason,
  };
}

/** What the budget leaves, taken bit by bit. */
class Room {
  readonly #budget: Budget;
  #total: number;
  #available: number;

  constructor(budget: Budget, total: number, available: number) {
    this.#budget = budget;
    this.#total = total;
    this.#available = available;
  }

  takeSurge(): boolean {
    if (this.#total >= this.#budget.maxTotal) return false;
    this.#total += 1;
    return true;
  }

  takeUnavailable(wasReady: boolean): boolean {
    const left = this.#available - (wasReady ? 1 : 0);
    if (wasReady && left < this.#budget.minAvailable) return false;
    this.#available = left;
    return true;
  }
}
