/** Formats that the steps of Clusters and pools allow in clear, and the step of their machines does not. */
import { at, isJsonObject, type JsonObject, own, stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { isDelivered, PROVISIONER_TRAITS } from '../../../functions/provisioning/traits.ts';
import { type ClaimedMachines, formatOf } from './claimed-machines.ts';

/** Undefined: its machines may have the format too, or something of the cloud delivers their secrets. */
export function inClearCaution(machines: ClaimedMachines): string | undefined {
  const { claim, input, ofMachine } = machines;
  const format = formatOf(machines);
  const traits = format === undefined ? undefined : own(PROVISIONER_TRAITS, format);
  const section = isJsonObject(ofMachine) ? sectionOf(ofMachine) : undefined;
  if (format === undefined || traits === undefined || section === undefined) return undefined;
  if (isDelivered(traits) || !traits.joinSecrets) return undefined;
  if (!isListed(input, format) || isListed(section.settings, format)) return undefined;
  return `machines of ${describeObject(claim)} are refused: ${section.name}.allowInClear of their MachineInput does not list ${format}, and those of Clusters and pools do`;
}

/** Of the cloud: left out, it allows nothing. Undefined: it sends everything in clear. */
function sectionOf(input: JsonObject): { readonly name: string; readonly settings: unknown } | undefined {
  const name = stringAt(input, 'cloud') ?? '';
  const settings = own(input, name) ?? {};
  return stringAt(settings, 'userData') === 'Plain' ? undefined : { name, settings };
}

function isListed(input: unknown, format: string): boolean {
  const list: unknown = at(input, 'allowInClear');
  return Array.isArray(list) && list.includes(format);
}
