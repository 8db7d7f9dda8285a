/** Kernel parameters, modules and arguments. */
import { at, isJsonObject } from '#lib/api/json.ts';
import type { Order } from '../provisioner.ts';
import { type Document, document, cannotSay, withMachine } from './document.ts';

export function withKernel(documents: readonly Document[], order: Order<'talos'>): readonly Document[] {
  const { plan, customisation } = order;
  const { kernelModules } = customisation;
  const sysctls = sorted(customisation.sysctls);
  const has = { sysctls: Object.keys(sysctls).length > 0, modules: kernelModules.length > 0 };
  if (plan.release === '1.13') {
    const fields = {
      ...(has.sysctls ? { sysctls } : {}),
      ...(has.modules ? { kernel: { modules: kernelModules.map((name) => ({ name })) } } : {}),
    };
    return withArguments(withMachine(documents, fields, order.owner), order);
  }
  if (customisation.kernelArguments.length > 0)
    throw cannotSay(order.owner, 'kernelArguments', plan.release, 'an image that boots with them');
  return [
    ...documents,
    ...(has.sysctls ? [document('SysctlConfig', { params: sysctls })] : []),
    ...kernelModules.map((name) => document('KernelModuleConfig', { name })),
  ];
}

/** Talos writes them only when it is installed, for the next boot. */
function withArguments(documents: readonly Document[], order: Order<'talos'>): readonly Document[] {
  const { plan, customisation, owner } = order;
  const { kernelArguments } = customisation;
  if (kernelArguments.length === 0) return documents;
  const [first = {}, ...others] = documents;
  const { machine } = first;
  const install = at(machine, 'install');
  if (!isJsonObject(machine) || !isJsonObject(install))
    throw cannotSay(
      owner,
      'kernelArguments',
      `${plan.release} without an installation`,
      'an image that boots with them, or spec.bootstrap.config.install',
    );
  return [{ ...first, machine: { ...machine, install: { ...install, extraKernelArgs: kernelArguments } } }, ...others];
}

function sorted(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
