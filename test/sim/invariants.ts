/** Budgets, names, updates: what holds in every step of every pool. Health is judged by what the functions observed. */
import { at } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { Broken } from './broken.ts';
import type { StepResult } from './crossplane.ts';
import { isDoomed, isServing, type Life } from './machines.ts';
import { budgetOfPool, isAvailable, shownOf } from './shown.ts';
import { wayOf } from './ways.ts';
import type { World } from './world.ts';

/**
 * A step deletes no ready machine if fewer than the budget requires would remain; if there are fewer already, it
 * deletes none.
 */
export function neverTooFew(result: StepResult): void {
  const serving = [...shownOf(result)].filter(([, machine]) => isAvailable(machine)).map(([name]) => name);
  const disturbed = new Set([
    ...result.deleted,
    ...result.ordered.filter((one) => one.disruptive).map(({ name }) => name),
  ]);
  const lost = serving.filter((name) => disturbed.has(name)).length;
  if (lost === 0) return;
  const { minAvailable } = budgetOfPool(result.view.pool);
  if (serving.length - lost < minAvailable)
    throw new Broken(`${serving.length - lost} machines are left to serve, ${minAvailable} must be`);
}

/** Machines that are being deleted count. A step that creates one stays within the budget. */
export function neverTooMany({ lives }: World, { view, created }: StepResult): void {
  if (created.length === 0) return;
  const { maxTotal } = budgetOfPool(view.pool);
  if (lives.size > maxTotal)
    throw new Broken(`${lives.size} machines exist, at most ${maxTotal} may: ${created.join(', ')} came last`);
}

export function neverTwice({ updates, crossplane }: World): void {
  for (const [key, times] of updates) if (times > 1) throw new Broken(`${key} was carried out ${times} times`);
  const [name] = crossplane.twice;
  if (name !== undefined) throw new Broken(`${name} was made again under the name of a machine that was`);
}

/**
 * In a pool without surplus machines, no machine is deleted that matches the claim and is ready, or that is updated to
 * it in place. Two in one slot are one too many: the replacement was created, and then the old one was wanted again.
 */
export function neverGood(world: World, { deleted, before, view }: StepResult): void {
  const staying = [...before.values()].filter(({ going }) => going === undefined);
  if (staying.length > Number(at(view.pool, 'spec', 'replicas'))) return;
  for (const name of deleted) {
    const life = before.get(name);
    if (life === undefined || life.sick || isDoomed(life) || life.update?.phase === 'Failed') continue;
    if (!isServing(life) && life.update === undefined) continue;
    const hasReplacement = staying.some((one) => one !== life && slotOf(one) === slotOf(life) && isServing(one));
    if (!hasReplacement && wayOf(life.object, world.goal, world.made(life)) === 'Fits')
      throw new Broken(`${name} is what is wanted and is let go`);
  }
}

function slotOf({ object }: Life): string | undefined {
  return object.metadata?.labels?.[LABEL.slot];
}
