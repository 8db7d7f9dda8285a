/**
 * Which objects the step looks after, and the whole plan for them, from one request. What `slipway plan` prints is
 * this very plan: nothing is worked out twice.
 */
import { availableAt, isCompositeReady } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CONTEXT, LABEL } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { budgetOf, termsOf } from '../budget.ts';
import { readClaims } from '../claims.ts';
import type { InPlaceUpdateInput } from '../input.ts';
import { type Rulebook, rulebook } from '../rulebook.ts';
import type { SlotState, Step } from './step.ts';
import { planUpdate } from './steps.ts';

export interface Plan {
  readonly steps: readonly Step[];
  /** The rules it was made by, with what is wrong with them. */
  readonly book: Rulebook;
  /** Composition resource names of the slots: the steps take their place. */
  readonly slotKeys: readonly string[];
  /** Whether the step before keeps objects as they are: a paused pool's, or a pool's that cannot read its Cluster. Nobody compared them. */
  readonly keeps: boolean;
}

/** The plan of one call at its time; nothing is changed by asking for it. */
export function planOf(request: Request, input: InPlaceUpdateInput, now: Date): Plan {
  const { composite } = request.observed;
  const terms = termsOf(composite);
  const isAvailable = (object: KubeObject): boolean =>
    (availableAt(object, terms.update.minReadySeconds) ?? Infinity) <= now.getTime();
  const slots = slotsOf(request, input, isAvailable);
  const leaving = leavingOf(request, input) + abandoned(request, input, slots);
  const budget = budgetOf(terms, slots.length, leaving);
  const book = rulebook(input);
  const steps = planUpdate(slots, { input, book, claims: readClaims(request.context), composite, budget });
  const keeps = present(request, input).some(([key]) => request.desired.resources.has(key));
  return { steps, book, slotKeys: slotKeys(request, input), keeps };
}

/** The step before tells how many are on their way out; nobody told: those that are observed. */
function leavingOf({ context, observed }: Request, input: InPlaceUpdateInput): number {
  const told = context[CONTEXT.leaving];
  if (typeof told === 'number') return told;
  return [...observed.resources].filter(([, { resource }]) => isSelected(resource, input) && isGoing(resource)).length;
}

/** Observed objects of the kind that stay. One on its way out is not desired again, or it would be made anew; one that is lost is let go. */
function staying(request: Request, input: InPlaceUpdateInput): readonly (readonly [string, KubeObject])[] {
  return present(request, input).filter(([, object]) => !isLost(request, object));
}

function present({ observed }: Request, input: InPlaceUpdateInput): readonly (readonly [string, KubeObject])[] {
  return [...observed.resources]
    .map(([key, { resource }]) => [key, resource] as const)
    .filter(([, object]) => isSelected(object, input) && !isGoing(object));
}

/** The step before says so of objects beside which another fills the slot. */
function isLost({ context }: Request, { metadata }: KubeObject): boolean {
  const told = context[CONTEXT.lost];
  return Array.isArray(told) && told.includes(metadata?.name ?? '');
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

function slotsOf(
  request: Request,
  input: InPlaceUpdateInput,
  isAvailable: (object: KubeObject) => boolean,
): readonly SlotState[] {
  const members = Map.groupBy(staying(request, input), ([, object]) => slotOf(object) ?? '');
  return slotKeys(request, input)
    .flatMap((key) => request.desired.resources.get(key) ?? [])
    .map(({ resource }) => ({
      slot: slotOf(resource) ?? '',
      desired: resource,
      members: (members.get(slotOf(resource) ?? '') ?? []).map(([key, object]) => ({
        key,
        name: object.metadata?.name ?? key,
        object,
        ready: isCompositeReady(object),
        available: isAvailable(object),
      })),
    }))
    .sort((a, b) => Number(a.slot) - Number(b.slot));
}

/** Objects that are lost, or whose slot is not desired any more: Crossplane deletes them, and until they are gone they count. */
function abandoned(request: Request, input: InPlaceUpdateInput, slots: readonly SlotState[]): number {
  const wanted = new Set(slots.map(({ slot }) => slot));
  const goes = (object: KubeObject): boolean => isLost(request, object) || !wanted.has(slotOf(object) ?? '');
  return present(request, input).filter(([key, object]) => goes(object) && !request.desired.resources.has(key)).length;
}
