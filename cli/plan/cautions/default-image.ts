/** Machines that take the default image of their platform, though their format boots only a system of its own. */
import { at, own } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { PROVISIONER_TRAITS } from '../../../functions/provisioning/traits.ts';
import { type ClaimedMachines, formatOf } from './claimed-machines.ts';

/** Undefined: the claim names an image, or the name of the default says that it is one of that system. */
export function imageCaution(machines: ClaimedMachines): string | undefined {
  const { claim, machine, defaultImage } = machines;
  const format = formatOf(machines);
  if (format === undefined || defaultImage === undefined || at(machine, 'image') !== undefined) return undefined;
  const { systems } = own(PROVISIONER_TRAITS, format) ?? {};
  if (systems === undefined || systems.some((system) => isNamedAfter(defaultImage, system))) return undefined;
  return `machines of ${describeObject(claim)} take the default image "${defaultImage}"; format ${format} needs one of ${systems.join(' or ')}`;
}

function isNamedAfter(image: string, system: string): boolean {
  const [word = system] = system.toLowerCase().split(' ');
  return image.toLowerCase().includes(word);
}
