/** What users do to machines, by chance or because a condition asked for it. */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { ANNOTATION, CONDITION, LABEL } from '#lib/api/words.ts';
import type { Chance } from './chance.ts';
import { isServing } from './machines.ts';
import { conditionsOf } from './silence.ts';
import type { Edit } from './scenarios/scenario.ts';
import type { World } from './world.ts';

export function apply(world: World, { spec, zones, version, runs, sick, removed, marked }: Edit, chance: Chance): void {
  if (spec !== undefined) world.edit(spec);
  if (zones !== undefined)
    world.edit({ machine: { class: 'standard-4', zones: zones.map((at) => world.flavour.zones[at]!) } });
  if (version !== undefined) world.upgrade(version, runs);
  if (sick !== undefined) for (const name of some(world, sick)) sickenCarefully(world, name);
  if (removed !== undefined) for (const name of some(world, removed, chance)) removeCarefully(world, name);
  if (marked !== undefined) for (const name of some(world, 1, chance)) world.annotate(name, marked);
}

/** Machines that are nodes; at least from the first on, or any. */
function some(world: World, count: number, chance?: Chance): readonly string[] {
  const names = [...world.lives].filter(([, { isNode, going }]) => isNode && going === undefined).map(([name]) => name);
  const from = chance === undefined || names.length === 0 ? 0 : chance.between(0, names.length - 1);
  return [...names.slice(from), ...names.slice(0, from)].slice(0, count);
}

/** A random action. */
export function actAtRandom(world: World, chance: Chance): void {
  const names = [...world.lives].filter(([, { object }]) => isCounted(world, object)).map(([name]) => name);
  if (names.length === 0) return;
  const name = names[chance.between(0, names.length - 1)]!;
  const drawn = chance.draw();
  if (drawn < 0.4) removeCarefully(world, name);
  else if (drawn < 0.6) world.annotate(name, ANNOTATION.deleteMachine);
  else if (drawn < 0.8) world.annotate(name, ANNOTATION.remediateMachine);
  else world.tamper(name, 'machine', { ...machineOf(world, name), class: 'standard-9' });
}

/**
 * Whether the status of the pool has it: the name of a machine that is deleted before any call observed it can be used
 * again.
 */
function isCounted({ pool }: World, { metadata }: KubeObject): boolean {
  return Number(at(pool, 'status', 'nextSerial')) > Number(metadata?.labels?.[LABEL.serial] ?? 0);
}

function machineOf(world: World, name: string) {
  return at(world.lives.get(name)?.object, 'spec', 'machine') as Record<string, string>;
}

/** A user does not delete a member that etcd needs for its majority. */
function removeCarefully(world: World, name: string): void {
  if (at(world.pool, 'spec', 'role') === 'control-plane' && !isSpare(world, name)) return;
  world.remove(name);
}

/** A control plane keeps its majority: without one only a person with a backup of etcd can help. */
function sickenCarefully(world: World, name: string): void {
  const members = [...world.lives].filter(([, { isNode }]) => isNode);
  const well = members.filter(([other, life]) => other !== name && isServing(life)).length;
  if (at(world.pool, 'spec', 'role') === 'control-plane' && well <= members.length / 2) return;
  world.sicken([name]);
}

function isSpare(world: World, name: string): boolean {
  const members = [...world.lives].filter(([, { isNode }]) => isNode);
  const well = members.filter(([other, life]) => other !== name && isServing(life)).length;
  const after = members.filter(([other]) => other !== name).length;
  return well >= Math.floor(after / 2) + 1;
}

/** Failed updates, and more lost machines than `maxUnhealthy` allows, wait for a user, who reads the conditions. */
export function decide(world: World): void {
  const remediating = conditionsOf(world).find((one) => at(one, 'type') === CONDITION.remediating);
  const message = stringAt(remediating, 'message') ?? '';
  // The condition has the reason of another change in progress, if there is one.
  const held = message.includes('maxUnhealthy is') ? message : '';
  for (const [name, { update, lost, late, sick }] of world.lives)
    if (update?.phase === 'Failed' || ((lost || late || sick) && held.includes(name))) removeCarefully(world, name);
}
