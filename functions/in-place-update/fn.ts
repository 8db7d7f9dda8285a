/**
 * Decides how composed objects get to the state that the previous step desires. It is generic: it knows objects by
 * their slot, and fields by the rules of its input. It is the only step that removes objects of the group: objects that
 * the previous step releases are removed within the same budget as a roll-out.
 */
import { CONTEXT } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { applyTtl, readInput } from '#lib/fn/input.ts';
import { asDecided } from '#lib/fn/refused-edit.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { InPlaceUpdateInput } from './input.ts';
import { lawOfGroup } from './law.ts';
import { planEntries, updatePlan } from './plan/entries.ts';
import { planOf } from './plan/plan.ts';
import type { Step } from './plan/step.ts';
import { reportKept } from './kept.ts';
import { report, reportFaults } from './report.ts';

export const run: CompositionFunction = (called, { now }) => {
  const request = asDecided(called);
  const input = readInput(request, InPlaceUpdateInput, 'InPlaceUpdateInput');
  const { composite } = request.observed;
  const { steps, book, plannedKeys, kept, held, limits } = planOf(request, input, now);
  const reply = new Reply(request, lawOfGroup(input, limits));
  applyTtl(reply, input);

  for (const key of plannedKeys) reply.drop(key);
  for (const { out } of steps) if (out !== undefined) reply.compose(out.key, out.object, out.ready);
  recordReleased(reply, request, steps);
  if (steps.some(isUnderWay)) reply.notReady();
  const entries = planEntries(steps);
  const plan = updatePlan(entries, isAskedForIgnored(request));
  if (plan !== undefined) reply.context(CONTEXT.updatePlan, plan);
  const status = request.desired.composite?.status ?? {};
  if (kept.length > 0) reportKept(reply, composite, kept, { held, steps, status });
  else report(reply, composite, steps, entries, { held, status });
  reportFaults(reply, composite, book, steps);
  return reply;
};

/** In the first releases, the request was `true` under the key of the answer, and anyone could have set it. */
function isAskedForIgnored({ context }: Request): boolean {
  return context[CONTEXT.updatePlanIgnored] === true || context[CONTEXT.updatePlan] === true;
}

/**
 * By name: a stale list still shows deleted objects. The previous step keeps their names until they are no longer
 * listed.
 */
function recordReleased(reply: Reply, { desired }: Request, steps: readonly Step[]): void {
  const dropped = steps.filter(({ action }) => action === 'Drop').map(({ name }) => name);
  if (dropped.length === 0) return;
  const before: unknown = desired.composite?.status?.['released'];
  const listed = Array.isArray(before) ? before.filter((name) => typeof name === 'string') : [];
  reply.status({ released: [...new Set([...listed, ...dropped])].toSorted() });
}

function isUnderWay({ action, upToDate }: Step): boolean {
  return action === 'Wait' || action === 'Create' || action === 'Update' || (action === 'Keep' && !upToDate);
}
