/** What must hold after every step, whatever went wrong before it. Judged by what the functions were shown. */
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { at, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { isCompositeReady } from '#lib/api/conditions.ts';
import { budgetOf, termsOf } from '../../functions/in-place-update/budget.ts';
import { type Deed, nameOf, type World } from './world.ts';

export class Broken extends Error {
  override readonly name = 'Broken';
}

/** Throws Broken for the first thing that does not hold. */
export function judge(world: World, deed: Deed): void {
  neverTooFew(deed);
  neverTooMany(world, deed);
  neverTwice(world);
  neverBoth(deed);
  if (stringAt(deed.view.pool, 'spec', 'role') === 'control-plane') quorum(deed);
}

/** A step takes away no machine that serves when that leaves fewer than the budget wants; where there are fewer already, none. */
function neverTooFew({ view, deleted, ordered }: Deed): void {
  const serving = view.machines.filter(isAvailable).map(nameOf);
  const disturbed = new Set([...deleted, ...ordered.filter((one) => one.disruptive).map(({ name }) => name)]);
  const lost = serving.filter((name) => disturbed.has(name)).length;
  if (lost === 0) return;
  const { minAvailable } = budgetOf(termsOf(view.pool), 0, 0);
  if (serving.length - lost < minAvailable)
    throw new Broken(`${serving.length - lost} machines are left to serve, ${minAvailable} must be`);
}

function isAvailable(machine: KubeObject): boolean {
  const order = at(machine, 'spec', 'update');
  const told = at(machine, 'status', 'update');
  const open = order !== undefined && stringAt(told, 'id') !== stringAt(order, 'id');
  const phase = stringAt(told, 'phase');
  const under = open || (phase !== undefined && !hasEnded(phase));
  return isCompositeReady(machine) && !(under && at(order, 'disruptive') === true);
}

/** Those on their way out are counted. A step that creates one stays within the budget. */
function neverTooMany({ lives }: World, { view, created }: Deed): void {
  if (created.length === 0) return;
  const { maxTotal } = budgetOf(termsOf(view.pool), 0, 0);
  if (lives.size > maxTotal)
    throw new Broken(`${lives.size} machines exist, at most ${maxTotal} may: ${created.join(', ')} came last`);
}

function neverTwice({ updates }: World): void {
  for (const [key, times] of updates) if (times > 1) throw new Broken(`${key} was carried out ${times} times`);
}

/** A machine that is ready and what is wanted – also one that was brought there in place – has no successor. */
function neverBoth({ view, deleted, reply }: Deed): void {
  const replicas = at(view.pool, 'spec', 'replicas');
  if (typeof replicas !== 'number' || view.machines.length > replicas) return;
  const desired = [...reply.resources.values()].map(({ resource }) => resource);
  for (const machine of view.machines) {
    if (!deleted.includes(nameOf(machine)) || !isCompositeReady(machine)) continue;
    const successor = desired.find((one) => slotOf(one) === slotOf(machine));
    if (
      successor !== undefined &&
      TARGET.every((field) => sameJson(at(machine, 'spec', field), at(successor, 'spec', field)))
    )
      throw new Broken(`${nameOf(machine)} is what is wanted and is replaced`);
  }
}

/** Fields that scenarios edit. */
const TARGET = ['machine', 'version', 'labels', 'taints', 'provisioning'] as const;

function slotOf(machine: KubeObject): string | undefined {
  return machine.metadata?.labels?.[LABEL.slot];
}

/** Of the members that stay, more than half are well. */
function quorum({ view, deleted, ordered }: Deed): void {
  const members = view.machines.filter((machine) => at(machine, 'status', 'nodeRef') !== undefined);
  const well = members.filter(isAvailable).map(nameOf);
  const gone = new Set(deleted);
  const disturbed = new Set([...deleted, ...ordered.map(({ name }) => name)]);
  const staying = members.filter((machine) => !gone.has(nameOf(machine))).length;
  const left = well.filter((name) => !disturbed.has(name)).length;
  const touched = members.some((machine) => disturbed.has(nameOf(machine)));
  const had = well.length > Math.floor(members.length / 2);
  if (touched && had && staying > 0 && left <= Math.floor(staying / 2))
    throw new Broken(`etcd loses its quorum: ${left} of ${staying} members are well`);
}
