/**
 * Azure for the machine step: a virtual machine with its network interface, the delivery of its first-boot data, and its
 * registration with the load balancer of the API.
 */
import { missingDisk } from '#lib/cloud/data-disks.ts';
import { resizable } from '#lib/cloud/fields.ts';
import type { MachineCloud } from '#lib/cloud/machine.ts';
import { AZURE_FIELDS } from '../fields.ts';
import { MACHINE_KINDS } from '../kinds.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { OVERRIDABLE } from '../overridable.ts';
import { customData } from './custom-data.ts';
import { dataDisks } from './data-disks.ts';
import { deliveryOf } from './delivery.ts';
import { endpoint, isEndpoint } from './endpoint.ts';
import { isHandOver } from './hand-over.ts';
import { AzureMachineInput } from './input.ts';
import { INSTANCE, VM } from './name.ts';
import { networkInterface } from './network-interface.ts';
import { read } from './read.ts';
import type { Input } from './situation.ts';
import { vmOf } from './vm.ts';

export const azure: MachineCloud<Input> & { readonly input: typeof AzureMachineInput } = {
  title: 'Azure',
  overridable: OVERRIDABLE,
  nativeNames: NATIVE_NAMES,
  input: AzureMachineInput,
  machineKey: INSTANCE,
  laterKinds: new Set(
    [...MACHINE_KINDS].filter((kind) => kind !== 'LinuxVirtualMachine' && kind !== 'NetworkInterface'),
  ),
  comesAndGoes: (key) => isHandOver(key) || isEndpoint(key),
  resizable: resizable(AZURE_FIELDS),
  plan(situation, infrastructure, boot, { registered, released }) {
    const observed = situation.observed.get(INSTANCE);
    const delivery = deliveryOf(situation, infrastructure, boot, observed, registered);
    const { userData, bytes, blockedBy, note } = delivery;
    const { resource, subnet, ...fields } = vmOf(situation, infrastructure, released);
    const { id } = read(situation.observed);
    return {
      resources: new Map([
        ...delivery.resources,
        ...customData(situation, userData, observed !== undefined),
        ...networkInterface(situation, infrastructure, subnet),
        [INSTANCE, resource],
        ...dataDisks(situation, infrastructure, id !== undefined),
        ...endpoint(situation, infrastructure, id !== undefined),
      ]),
      bytes,
      blockedBy: blockedBy ?? missingDisk(situation, VM),
      notes: note === undefined ? [] : [note],
      ...fields,
    };
  },
  read,
};
