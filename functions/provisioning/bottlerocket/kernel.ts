/** Kernel parameters, modules and arguments. */
import type { JsonObject } from '#lib/api/json.ts';
import type { Order } from '../provisioner.ts';
import { cannotSay } from './limits.ts';

/** Words with dots between them, each of a bootconfig key. */
const KEY = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

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

/**
 * Values of the same argument are grouped, so arguments between them would lose their position. The host reboots for
 * missing arguments.
 */
function bootOf({ customisation, owner }: Order<'bottlerocket'>): JsonObject {
  const parameters = new Map<string, readonly string[]>();
  let last = '';
  customisation.kernelArguments.forEach((argument, index) => {
    const [, key = '', value] = /^([^=]*)(?:=(.*))?$/.exec(argument) ?? [];
    const field = `kernelArguments[${index}]`;
    if (!KEY.test(key)) throw cannotSay(owner, field, 'names of letters, digits, ., _ and -');
    if (parameters.has(key) && key !== last) throw cannotSay(owner, field, 'arguments of one name next to each other');
    parameters.set(key, [...(parameters.get(key) ?? []), ...(value === undefined ? [] : [value])]);
    last = key;
  });
  return { 'reboot-to-reconcile': true, 'kernel-parameters': Object.fromEntries(parameters) };
}
