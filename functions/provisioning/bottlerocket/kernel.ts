/** Kernel parameters, modules and arguments. */
import type { JsonObject } from '#lib/api/json.ts';
import type { Order } from '../provisioner.ts';

export function kernelSettings(
  order: Order<'bottlerocket'>,
): readonly (readonly [field: string, settings: JsonObject])[] {
  const { sysctls, kernelModules, kernelArguments } = order.customisation;
  const parameters = Object.entries(sysctls).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const modules = kernelModules.map((name) => [name, { allowed: true, autoload: true }] as const);
  return [
    ...(parameters.length === 0 ? [] : [['sysctls', { kernel: { sysctl: Object.fromEntries(parameters) } }] as const]),
    ...(modules.length === 0 ? [] : [['kernelModules', { kernel: { modules: Object.fromEntries(modules) } }] as const]),
    ...(kernelArguments.length === 0 ? [] : [['kernelArguments', { boot: bootOf(order) }] as const]),
  ];
}

/** Values of the same argument are grouped, and next to each other. The host reboots for missing arguments. */
function bootOf({ customisation }: Order<'bottlerocket'>): JsonObject {
  const parameters = new Map<string, readonly string[]>();
  for (const argument of customisation.kernelArguments) {
    const [, key = '', value] = /^([^=]*)(?:=(.*))?$/.exec(argument) ?? [];
    parameters.set(key, [...(parameters.get(key) ?? []), ...(value === undefined ? [] : [value])]);
  }
  return { 'reboot-to-reconcile': true, 'kernel-parameters': Object.fromEntries(parameters) };
}
