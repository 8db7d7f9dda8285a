/** Control-plane machines come and go one at a time: the calls after the first one, played on paper. */
import { at, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Rendered } from '#lib/engine/render/render-once.ts';
import type { PlanEntry } from './entry.ts';
import { machineEntries } from './machines.ts';
import { runXr } from './rendering.ts';
import { isSlipway, nameOf, type World, withObjects } from './world.ts';

const ROUNDS = 16;

/** What else is made and removed until the pool has as many machines as it asks for; nothing for workers. */
export async function scaledOn(world: World, pool: KubeObject, first: Rendered): Promise<readonly PlanEntry[]> {
  if (stringAt(pool, 'spec', 'role') !== 'control-plane') return [];
  const entries: PlanEntry[] = [];
  let [present, now, rendered] = [world, pool, first];
  const known = new Set(machineEntries(pool, first).map(({ name }) => name));
  for (let round = 0; round < ROUNDS && !isScaled(now, rendered); round += 1) {
    [present, now] = advanced(present, now, rendered);
    const run = await runXr(present, now);
    if ('refusal' in run) return entries;
    ({ rendered } = run);
    const news = machineEntries(now, rendered).filter((entry) => isScaling(entry) && !known.has(entry.name));
    if (news.length === 0) return entries;
    for (const entry of news) known.add(entry.name);
    entries.push(...news.map((entry) => ({ ...entry, blockedBy: 'one control-plane machine at a time' })));
  }
  return entries;
}

function isScaled(pool: KubeObject, { composed }: Rendered): boolean {
  const slots = new Set(composed.filter(isMachine).map((one) => one.metadata?.labels?.['slipway.dev/slot']));
  return slots.size === at(pool, 'spec', 'replicas');
}

function isMachine(object: KubeObject): boolean {
  return isSlipway(object, 'Machine');
}

function isScaling({ decision, succeeds, field }: PlanEntry): boolean {
  return field === '' && (decision === 'Drop' || (decision === 'Create' && succeeds === undefined));
}

/** The world once what was desired is there and ready, and what was not is gone. */
function advanced(world: World, pool: KubeObject, rendered: Rendered): readonly [World, KubeObject] {
  const gone = new Set(rendered.deleted.filter(isMachine).map(nameOf));
  const left = {
    ...world,
    objects: world.objects.filter((object) => !(isMachine(object) && gone.has(nameOf(object)))),
  };
  const machines = rendered.composed.filter(isMachine).map((machine) => {
    const before = left.objects.find((object) => isMachine(object) && nameOf(object) === nameOf(machine));
    return { ...machine, status: before?.status ?? readyStatus(machine) };
  });
  const refs = at(rendered.composite, 'spec', 'crossplane', 'resourceRefs') as Json;
  const crossplane = { ...(pool.spec?.['crossplane'] as JsonObject | undefined), resourceRefs: refs };
  const next: KubeObject = {
    ...pool,
    spec: { ...pool.spec, crossplane },
    status: { ...rendered.composite.status },
  };
  return [withObjects(left, [next, ...machines]), next];
}

function readyStatus(machine: KubeObject): JsonObject {
  const condition = { type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: '2024-01-01T00:00:00Z' };
  return { conditions: [condition], nodeRef: { name: nameOf(machine) }, version: at(machine, 'spec', 'version') };
}
