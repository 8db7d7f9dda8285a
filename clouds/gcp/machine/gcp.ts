/**
 * GCP for the machine step: an Instance, the delivery of its first-boot data, and its registration with the load
 * balancer of the API.
 */
import type { MachineCloud } from '#lib/cloud/machine.ts';
import { resizable } from '#lib/cloud/fields.ts';
import { missingDisk } from '#lib/cloud/data-disks.ts';
import { isHandOver } from '#lib/cloud/hand-over.ts';
import { GCP_FIELDS } from '../fields.ts';
import { MACHINE_KINDS } from '../kinds.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { OVERRIDABLE } from '../overridable.ts';
import { dataDisks } from './data-disks.ts';
import { deliveryOf } from './delivery.ts';
import { endpoints, isEndpoint } from './endpoints.ts';
import { GcpMachineInput } from './input.ts';
import { instanceOf } from './instance.ts';
import { INSTANCE, VM } from './name.ts';
import { read } from './read.ts';
import type { Input } from './situation.ts';

export const gcp: MachineCloud<Input> & { readonly input: typeof GcpMachineInput } = {
  title: 'GCP',
  overridable: OVERRIDABLE,
  nativeNames: NATIVE_NAMES,
  input: GcpMachineInput,
  machineKey: INSTANCE,
  laterKinds: new Set([...MACHINE_KINDS].filter((kind) => kind !== 'Instance')),
  comesAndGoes: (key) => isHandOver(key) || isEndpoint(key),
  resizable: resizable(GCP_FIELDS),
  plan(situation, infrastructure, boot, stage) {
    const observed = situation.observed.get(INSTANCE);
    const { userData, bytes, blockedBy, note, resources } = deliveryOf(
      situation,
      infrastructure,
      boot,
      observed,
      stage.registered,
    );
    const { resource, ...fields } = instanceOf(situation, infrastructure, userData, stage);
    const { failureDomain, addresses } = read(situation.observed);
    const address = addresses.find(({ type }) => type === 'InternalIP')?.address;
    return {
      resources: new Map([
        ...resources,
        ...dataDisks(situation, infrastructure),
        [INSTANCE, resource],
        ...endpoints(situation, infrastructure, failureDomain, address),
      ]),
      bytes,
      blockedBy: blockedBy ?? missingDisk(situation, VM),
      notes: note === undefined ? [] : [note],
      ...fields,
    };
  },
  read,
};
