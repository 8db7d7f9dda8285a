/** What happens to one object in this call, and why; and how such a step is created. */
import type { Release } from '#lib/api/contracts/group.ts';
import type { MachineUpdate } from '#lib/api/contracts/machine-update.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { withBookkeeping } from '../bookkeeping.ts';
import { keepOthers } from '../patch.ts';
import type { Decided, FieldDecision } from '../decision.ts';
import { type Ordered, withOrder } from './order.ts';
import type { Refusal } from './quorum.ts';

/** An existing object of a slot. */
export interface Member {
  readonly key: string;
  readonly name: string;
  readonly object: KubeObject;
  readonly ready: boolean;
  /** Ready for as long as the XR's `update.minReadySeconds` asks. */
  readonly available: boolean;
  /** Whether it ever became a node, and so has a vote in a group with a quorum. Not known for other kinds: true. */
  readonly isNode: boolean;
  /** It exists but is missing from this observation: it is kept unchanged until it is observed again. */
  readonly unobserved: boolean;
  /** The status of the XR records its serial number, so that no other object gets its name after it is deleted. */
  readonly recorded: boolean;
}

export interface SlotState {
  readonly slot: string;
  readonly desired: KubeObject;
  readonly members: readonly Member[];
}

/** An existing object with its differences from the desired one. */
export interface Candidate {
  readonly member: Member;
  readonly fields: readonly Decided[];
  readonly ordered: Ordered;
}

/**
 * Update: an in-place update begins or is running. Hold: it stays as it is until a problem is fixed. Drop: it is no
 * longer desired. Wait: it is created when the budget allows.
 */
export interface Step {
  readonly action: 'Create' | 'Keep' | 'Patch' | 'Update' | 'Hold' | 'Drop' | 'Wait';
  readonly slot: string;
  /** Name of the object. */
  readonly name: string;
  /** Composition resource name and object to desire; absent for Drop and Wait. */
  readonly out?: { readonly key: string; readonly object: KubeObject; readonly ready: boolean };
  /** The deleted object; only for Drop. */
  readonly gone?: KubeObject;
  /** Fields that differ from the desired object. */
  readonly fields: readonly Decided[];
  /** Whether the object is up to date, or will be after this step. */
  readonly upToDate: boolean;
  readonly reason: string;
  /** What blocks it: a budget, another object, a setting. */
  readonly blockedBy?: string;
  /** Name of the object that it replaces; only for Create. */
  readonly succeeds?: string;
  /** That it is replaced, whatever its fields say. */
  readonly replaced?: string;
  /** Why the object or its slot is no longer desired. */
  readonly release?: Release['why'];
  /** The requested in-place update that has not succeeded yet. */
  readonly ordered?: Ordered;
}

interface StepDecision {
  readonly action: 'Keep' | 'Patch' | 'Update' | 'Hold';
  readonly upToDate: boolean;
  readonly reason: string;
  readonly blockedBy?: string;
}

/**
 * The object with the changed fields that are applied now; all other fields keep their values, and so does its update
 * request.
 */
export function applied(
  { slot, desired }: SlotState,
  { member, fields, ordered }: Candidate,
  decisions: readonly FieldDecision[],
  order: MachineUpdate | undefined,
  outcome: StepDecision,
): Step {
  const target = { ...desired, metadata: { ...desired.metadata, name: member.name } };
  const given = order ?? at(member.object, 'spec', 'update');
  const kept = withBookkeeping(keepOthers(target, fields, decisions), member.object, fields, decisions);
  const object = withOrder(kept, given as MachineUpdate | undefined);
  const open = order === undefined && (ordered.progress === 'None' || ordered.progress === 'Succeeded');
  return {
    ...outcome,
    slot,
    name: member.name,
    out: { key: member.key, object, ready: member.ready && outcome.action !== 'Update' },
    fields,
    ...(open ? {} : { ordered: order === undefined ? ordered : begun(order) }),
  };
}

function begun(order: MachineUpdate): Ordered {
  return { progress: 'Pending', order, phase: 'Pending', message: undefined };
}

/** Exactly as it is: it is not changed while it waits. */
export function frozen(
  action: 'Keep' | 'Hold',
  slot: string,
  { member, fields }: Candidate,
  reason: string,
  blockedBy?: string,
): Step {
  return {
    action,
    slot,
    name: member.name,
    out: { key: member.key, object: asDesired(member.object), ready: member.ready },
    fields,
    upToDate: false,
    reason,
    ...(blockedBy === undefined ? {} : { blockedBy }),
  };
}

/** @param name undefined: of one that does not exist yet */
export function replacedBy(name: string | undefined): string {
  return name === undefined ? 'its machine is replaced' : `its machine is replaced by ${name}`;
}

export function created({ slot, desired }: SlotState, replaces: Member | undefined): Step {
  const name = desired.metadata?.name ?? slot;
  const reason = replaces === undefined ? 'a machine is missing' : `it replaces ${replaces.name}`;
  return {
    action: 'Create',
    slot,
    name,
    out: { key: name, object: desired, ready: false },
    fields: [],
    upToDate: false,
    reason,
    ...(replaces === undefined ? {} : { succeeds: replaces.name }),
  };
}

/** It is created when the budget allows. */
export function awaited({ slot, desired }: SlotState, { blockedBy, until }: Refusal): Step {
  const name = desired.metadata?.name ?? slot;
  return { action: 'Wait', slot, name, fields: [], upToDate: false, reason: `it waits until ${until}`, blockedBy };
}

export function drop(slot: string, { member, fields }: Candidate, reason: string): Step {
  return { action: 'Drop', slot, name: member.name, gone: member.object, fields, upToDate: false, reason };
}
