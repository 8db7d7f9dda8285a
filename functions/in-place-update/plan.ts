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
  const settled = verdicts.flatMap(({ steps }) => steps);
  const dropped = settled.filter(({ action }) => action === 'Drop');
  const members = slots.flatMap((state) => state.members);
  const room = new Room(
    budget,
    members.length + budget.leaving,
    members.filter(({ ready }) => ready).length - dropped.filter((step) => isReady(step, members)).length,
  );
  const missing = verdicts
    .filter(({ state }) => state.members.length === 0)
    .map(({ state }) => create(state, undefined, room));
  // Those that are not ready first: replacing them costs nothing.
  const outdated = verdicts
    .filter((verdict) => verdict.old !== undefined)
    .sort((a, b) => Number(a.old?.member.ready) - Number(b.old?.member.ready));
  return [...settled, ...missing, ...outdated.flatMap((verdict) => replace(verdict, budget, room))];
}

function isReady({ name }: Step, members: readonly Member[]): boolean {
  return members.some((member) => member.name === name && member.ready);
}

interface Verdict {
  readonly state: SlotState;
  /** What is already certain. */
  readonly steps: readonly Step[];
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
  if (fits === undefined) {
    const [best, ...rest] = candidates;
    return {
      state,
      steps: rest.map(({ member }) => drop(state.slot, member, 'it was a successor that is not wanted any more')),
      old: best,
    };
  }
  const others = candidates.filter((candidate) => candidate !== fits);
  return {
    state,
    steps: [settle(state, fits), ...others.map((other) => predecessor(state.slot, other, fits.member))],
    old: undefined,
  };
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

/** It stays until its successor is ready, unless it is of no use itself. */
function predecessor(slot: string, { member, fields }: Candidate, successor: Member): Step {
  if (successor.ready) return drop(slot, member, `its successor ${successor.name} is ready`);
  if (!member.ready) return drop(slot, member, `it is not ready and ${successor.name} is made instead`);
  return frozen('Keep', slot, { member, fields }, `it stays until its successor ${successor.name} is ready`);
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

function create(state: SlotState, replaces: Member | undefined, room: Room): Step {
  if (room.takeSurge()) return created(state, replaces);
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
