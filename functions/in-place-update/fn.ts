/**
 * Decides how composed objects get from what they are to what the step before says they should be. Generic: it
 * knows objects by the slot they fill and fields by the rules of its input. What it does not look after passes
 * through; an object of its kind that nobody desires any more is left to Crossplane, which deletes it.
 */
import { seconds } from '#lib/api/fields/text.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { readInput } from '#lib/fn/input.ts';
import { Reply } from '#lib/fn/reply.ts';
import { InPlaceUpdateInput } from './input.ts';
import { planEntries, updatePlan } from './plan/entries.ts';
import { planOf } from './plan/plan.ts';
import type { Step } from './plan/step.ts';
import { report, reportFaults } from './report.ts';

export const run: CompositionFunction = (request, { now }) => {
  const input = readInput(request, InPlaceUpdateInput, 'InPlaceUpdateInput');
  const { composite } = request.observed;
  const reply = new Reply(request);
  if (input.ttl !== undefined) reply.ttl(seconds(input.ttl));

  const { steps, book, slotKeys, keeps } = planOf(request, input, now);
  for (const key of slotKeys) reply.drop(key);
  for (const { out } of steps) if (out !== undefined) reply.compose(out.key, out.object, out.ready);
  if (steps.some(isUnderWay)) reply.notReady();
  const entries = planEntries(steps);
  const plan = updatePlan(entries, request.context[CONTEXT.updatePlan] === true);
  if (plan !== undefined) reply.context(CONTEXT.updatePlan, plan);
  // Of what nobody compared nothing new can be said: what was said of it stands.
  if (!keeps) report(reply, composite, steps, entries, request.desired.composite?.status ?? {});
  reportFaults(reply, composite, book, steps);
  return reply;
};

function isUnderWay({ action, upToDate }: Step): boolean {
  return action === 'Wait' || action === 'Create' || action === 'Update' || (action === 'Keep' && !upToDate);
}
