/**
 * What is noted of claims by their words and their Composition alone: all of it is accepted, since a platform may have
 * made it right, and the machines of most would still not come up.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { applyOnce } from '#simulator/render/apply-once.ts';
import { machinesOf, type World } from './claimed-machines.ts';
import { imageCaution } from './default-image.ts';
import { deviceCaution } from './devices.ts';
import { autoscalerCaution } from './autoscaler.ts';
import { foreignWordsCaution } from './foreign-words.ts';
import { hostSizeCaution } from './host-sizes.ts';
import { hostsCaution } from './hosts.ts';
import { inClearCaution } from './in-clear.ts';
import { definitionOf, find, nameOf, withObjects } from '../world.ts';

/** A sentence for each, without those that the claims had already as they are stored. */
export function cautionsOf(world: World, claims: readonly KubeObject[]): readonly string[] {
  const stored = claims.map((claim) => {
    const live = find(world, { kind: claim.kind, namespace: claim.metadata?.namespace, name: nameOf(claim) });
    const applied = applyOnce(claim, live, definitionOf(world, claim));
    return { live, now: 'stored' in applied ? applied.stored : undefined };
  });
  const then = withObjects(
    world,
    stored.flatMap(({ now }) => now ?? []),
  );
  return stored.flatMap(({ live, now }) => {
    const before = live === undefined ? [] : ofOne(world, live);
    return now === undefined ? [] : ofOne(then, now).filter((line) => !before.includes(line));
  });
}

function ofOne(world: World, claim: KubeObject): readonly string[] {
  const machines = machinesOf(world, claim);
  if (machines === undefined) return [];
  return [
    imageCaution(machines),
    inClearCaution(machines),
    deviceCaution(machines),
    hostsCaution(world, machines),
    hostSizeCaution(world, machines),
    foreignWordsCaution(machines),
    autoscalerCaution(claim),
  ].filter((line) => line !== undefined);
}
