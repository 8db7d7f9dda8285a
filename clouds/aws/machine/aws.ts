/**
 * AWS for the machine step: an Instance, the delivery of its first-boot data, and a registration with each of its load
 * balancers once its id is known.
 */
import { z } from 'zod';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { ABSENT, type Address, type MachineCloud, type VirtualMachine } from '#lib/cloud/machine.ts';
import { resizable } from '#lib/cloud/fields.ts';
import { isHandOver } from '#lib/cloud/hand-over.ts';
import { filled, settledSize } from '#lib/cloud/reported.ts';
import { AWS_FIELDS } from '../fields.ts';
import { MACHINE_KINDS } from '../kinds.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { OVERRIDABLE } from '../overridable.ts';
import { lackOfCapacity } from './capacity.ts';
import { deliveryOf } from './delivery.ts';
import { AwsMachineInput } from './input.ts';
import { instanceOf } from './instance.ts';
import { INSTANCE, INSTANCE_KIND } from './instance-name.ts';
import type { Input } from './situation.ts';
import { isRegistration, registrations } from './registrations.ts';

export const aws: MachineCloud<Input> & { readonly input: typeof AwsMachineInput } = {
  title: 'AWS',
  overridable: OVERRIDABLE,
  nativeNames: NATIVE_NAMES,
  input: AwsMachineInput,
  machineKey: INSTANCE,
  laterKinds: new Set([...MACHINE_KINDS].filter((kind) => kind !== INSTANCE_KIND)),
  comesAndGoes: (key) => isHandOver(key) || isRegistration(key),
  resizable: resizable(AWS_FIELDS),
  plan(situation, infrastructure, boot, stage) {
    const { id, registered } = stage;
    const observed = situation.observed.get(INSTANCE);
    const delivery = deliveryOf(situation, infrastructure, boot, observed, registered);
    const { userData, bytes, blockedBy, note } = delivery;
    const { resource, ...fields } = instanceOf(situation, infrastructure, userData, stage);
    return {
      resources: new Map([
        ...delivery.resources,
        [INSTANCE, resource],
        ...registrations(situation, infrastructure, id),
      ]),
      bytes,
      blockedBy,
      notes: note === undefined ? [] : [note],
      ...fields,
    };
  },
  read,
};

const text = () => z.string().optional();
const Report = z.looseObject({
  status: z
    .looseObject({
      atProvider: z
        .looseObject({
          id: text(),
          instanceState: text(),
          availabilityZone: text(),
          privateIp: text(),
          privateDns: text(),
          publicIp: text(),
          publicDns: text(),
          instanceType: text(),
        })
        .optional(),
    })
    .optional(),
});
type AtProvider = NonNullable<NonNullable<z.output<typeof Report>['status']>['atProvider']>;

const ENDED = new Set(['terminated', 'shutting-down']);

function read(all: ReadonlyMap<string, KubeObject>): VirtualMachine {
  const observed = all.get(INSTANCE);
  if (observed === undefined) return ABSENT;
  const { status } = parseAs(Report, observed, describeObject(observed), 'InvalidObserved');
  const atProvider = status?.atProvider ?? {};
  const id = filled(atProvider.id) ?? filled(observed.metadata?.annotations?.[CROSSPLANE.externalName]);
  return {
    id,
    running: atProvider.instanceState === 'running',
    ended: atProvider.instanceState !== undefined && ENDED.has(atProvider.instanceState),
    failureDomain: filled(atProvider.availabilityZone),
    providerIDValues: {},
    instanceType: settledSize(observed, 'instanceType', filled(atProvider.instanceType)),
    noCapacity: id === undefined ? lackOfCapacity(observed) : undefined,
    addresses: addressesOf(atProvider),
  };
}

const ADDRESSES = [
  ['privateIp', 'InternalIP'],
  ['privateDns', 'InternalDNS'],
  ['publicIp', 'ExternalIP'],
  ['publicDns', 'ExternalDNS'],
] as const;

function addressesOf(atProvider: AtProvider): readonly Address[] {
  return ADDRESSES.flatMap(([field, type]) => {
    const address = filled(atProvider[field]);
    return address === undefined ? [] : [{ type, address }];
  });
}
