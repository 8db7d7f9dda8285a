/**
 * Which objects the step looks after, and the whole plan for them, from one request. What `slipway plan` prints is
 * this very plan: nothing is worked out twice.
 */
import { isCompositeReady } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CONTEXT, LABEL } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { budgetOf } from '../budget.ts';
import { readClaims } from '../claims.ts';
import type { InPlaceUpdateInput } from '../input.ts';
import { type Rulebook, rulebook } from '../rulebook.ts';
import type { Member, SlotState, Step } from './step.ts';
import { planUpdate } from './steps.ts';

export interface Plan {
  readonly steps: readonly Step[];
  /** The rules it was made by, with what is wrong with them. */
  readonly book: Rulebook;
  /** Composition resource names of the slots: the steps take their place. */
  readonly slotKeys: readonly string[];
}

/** The plan of one call; nothing is changed by asking for it. */
export function planOf(request: Request, input: InPlaceUpdateInput): Plan {
  const { composite } = request.observed;
  const slots = slotsOf(request, input);
  const leaving = leavingOf(request, input) + abandoned(request, input, slots);
  const budget = budgetOf(composite, slots.length, leaving);
  const book = rulebook(input);
  const steps = planUpdate(slots, { input, book, claims: readClaims(request.context), composite, budget });
  return { steps, book, slotKeys: slotKeys(request, input) };
}

/** The step before tells how many are on their way out; nobody told: those that are observed. */
function leavingOf({ context, observed }: Request, input: InPlaceUpdateInput): number {
  const told = context[CONTEXT.leaving];
  if (typeof told === 'number') return told;
  return [...observed.resources].filter(([, { resource }]) => isSelected(resource, input) && isGoing(resource)).length;
}

/** Observed objects of the kind that stay. One on its way out is not desired again, or it would be made anew. */
function staying({ observed }: Request, input: InPlaceUpdateInput): readonly (readonly [string, KubeObject])[] {
  return [...observed.resources]
    .map(([key, { resource }]) => [key, resource] as const)
    .filter(([, object]) => isSelected(object, input) && !isGoing(object));
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

function isSelected(object: KubeObject, { select }: InPlaceUpdateInput): boolean {
  return object.apiVersion === select.apiVersion && object.kind === select.kind && slotOf(object) !== undefined;
}

function slotOf(object: KubeObject): string | undefined {
  return object.metadata?.labels?.[LABEL.slot];
}

/** Composition resource names of desired slots. One that is already the name of an observed object is not touched: the step before keeps that object as it is. */
function slotKeys({ desired, observed }: Request, input: InPlaceUpdateInput): readonly string[] {
  return [...desired.resources]
    .filter(([key, { resource }]) => isSelected(resource, input) && !observed.resources.has(key))
    .map(([key]) => key);
}

function slotsOf(request: Request, input: InPlaceUpdateInput): readonly SlotState[] {
  const members = Map.groupBy(staying(request, input), ([, object]) => slotOf(object) ?? '');
  return slotKeys(request, input)
    .flatMap((key) => request.desired.resources.get(key) ?? [])
    .map(({ resource }) => ({
      slot: slotOf(resource) ?? '',
      desired: resource,
      members: (members.get(slotOf(resource) ?? '') ?? []).map(([key, object]) => memberOf(key, object)),
    }))
    .sort((a, b) => Number(a.slot) - Number(b.slot));
}

/** Objects whose slot is not desired any more: Crossplane deletes them, and until they are gone they count. */
function abandoned(request: Request, input: InPlaceUpdateInput, slots: readonly SlotState[]): number {
  const wanted = new Set(slots.map(({ slot }) => slot));
  return staying(request, input).filter(
    ([key, object]) => !wanted.has(slotOf(object) ?? '') && !request.desired.resources.has(key),
  ).length;
}

function memberOf(key: string, object: KubeObject): Member {
  return { key, name: object.metadata?.name ?? key, object, ready: isCompositeReady(object) };
}
