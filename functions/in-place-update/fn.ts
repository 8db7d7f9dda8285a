/**
 * Decides how composed objects get from what they are to what the step before says they should be. Generic: it
 * knows objects by the slot they fill and fields by the rules of its input. What it does not look after passes
 * through; an object of its kind that nobody desires any more is left to Crossplane, which deletes it.
 */
import { isManagedReady } from '#lib/api/conditions.ts';
import { seconds } from '#lib/api/fields/text.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CONTEXT, LABEL } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { readInput } from '#lib/fn/input.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { budgetOf } from './budget.ts';
import { InPlaceUpdateInput } from './input.ts';
import { readClaims } from './claims.ts';
import type { Member, SlotState, Step } from './plan/step.ts';
import { planUpdate } from './plan/steps.ts';
import { report, reportFaults } from './report.ts';
import { rulebook } from './rulebook.ts';

export const run: CompositionFunction = (request) => {
  const input = readInput(request, InPlaceUpdateInput, 'InPlaceUpdateInput');
  const { composite } = request.observed;
  const reply = new Reply(request);
  if (input.ttl !== undefined) reply.ttl(seconds(input.ttl));

  const slots = slotsOf(request, input);
  for (const key of slotKeys(request, input)) reply.drop(key);
  const leaving = leavingOf(request, input) + abandoned(request, input, slots);
  const budget = budgetOf(composite, slots.length, leaving);
  const book = rulebook(input);
  const steps = planUpdate(slots, { input, book, claims: readClaims(request.context), composite, budget });
  for (const { out } of steps) if (out !== undefined) reply.compose(out.key, out.object, out.ready);
  if (steps.some(isUnderWay)) reply.notReady();
  report(reply, composite, steps, request.desired.composite?.status ?? {});
  reportFaults(reply, composite, book, steps);
  return reply;
};

function isUnderWay({ action, upToDate }: Step): boolean {
  return action === 'Wait' || action === 'Create' || action === 'Update' || (action === 'Keep' && !upToDate);
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
  return { key, name: object.metadata?.name ?? key, object, ready: isManagedReady(object) };
}
