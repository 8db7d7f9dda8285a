/** Machines of a size that no Host in the namespace of their claim has: they wait for one. */
import { stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { instanceTypeOf } from '#lib/cloud/asked.ts';
import type { PlanWorld } from '../world.ts';
import type { ClaimedMachines } from './claimed-machines.ts';
import { hostsBeside } from './hosts.ts';

/** Sizes in a sentence. */
const MOST = 4;

/** Undefined: it takes no Hosts, one has the size, or none is known in its namespace at all. */
export function hostSizeCaution(world: Pick<PlanWorld, 'objects'>, machines: ClaimedMachines): string | undefined {
  const { claim, classes, machine } = machines;
  const sizes = hostsBeside(world, machines).flatMap(({ spec }) => stringAt(spec, 'size') ?? []);
  const wanted = instanceTypeOf(
    { class: stringAt(machine, 'class'), instanceType: stringAt(machine, 'instanceType') },
    { classes },
  );
  if (sizes.length === 0 || wanted === '' || sizes.includes(wanted)) return undefined;
  const known = [...new Set(sizes)].toSorted();
  return `machines of ${describeObject(claim)} take Hosts of size ${wanted}, which none of the Hosts known here in its namespace has: they are of size ${firstNames(known, MOST)}`;
}
