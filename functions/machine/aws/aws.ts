/**
 * AWS for the machine step: an Instance, what hands its first-boot data over, and for each load balancer it serves a
 * registration once its id is known.
 */
import { z } from 'zod';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Address, Cloud, VirtualMachine } from '../cloud.ts';
import { deliveryOf } from './delivery.ts';
import { INSTANCE, instanceOf } from './instance.ts';
import { registrations } from './registrations.ts';

export const aws: Cloud = {
  machineKey: INSTANCE,
  laterKinds: new Set(['LBTargetGroupAttachment', 'Secret', 'SecretVersion']),
  resizable: new Set(['spec.machine.class', 'spec.machine.instanceType']),
  plan(situation, infrastructure, boot, { id, registered, released }) {
    const observed = situation.observed.get(INSTANCE);
    const delivery = deliveryOf(situation, infrastructure, boot, observed, registered);
    const { userData, bytes, awaits, note } = delivery;
    const { resource, ...told } = instanceOf(situation, infrastructure, userData, released);
    return {
      resources: new Map([
        ...delivery.resources,
        [INSTANCE, resource],
        ...registrations(situation, infrastructure, id),
      ]),
      bytes,
      awaits,
      notes: note === undefined ? [] : [note],
      ...told,
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
        })
        .optional(),
    })
    .optional(),
});
type Told = NonNullable<NonNullable<z.output<typeof Report>['status']>['atProvider']>;

const ENDED = new Set(['terminated', 'shutting-down']);

function read(observed: KubeObject | undefined): VirtualMachine {
  if (observed === undefined)
    return { id: undefined, running: false, ended: false, failureDomain: undefined, addresses: [] };
  const { status } = parseAs(Report, observed, describeObject(observed), 'InvalidObserved');
  const told = status?.atProvider ?? {};
  return {
    id: filled(told.id) ?? filled(observed.metadata?.annotations?.[CROSSPLANE.externalName]),
    running: told.instanceState === 'running',
    ended: told.instanceState !== undefined && ENDED.has(told.instanceState),
    failureDomain: filled(told.availabilityZone),
    addresses: addressesOf(told),
  };
}

/** The cloud writes an empty text where it has nothing to say. */
function filled(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

const ADDRESSES = [
  ['privateIp', 'InternalIP'],
  ['privateDns', 'InternalDNS'],
  ['publicIp', 'ExternalIP'],
  ['publicDns', 'ExternalDNS'],
] as const;

function addressesOf(told: Told): readonly Address[] {
  return ADDRESSES.flatMap(([field, type]) => {
    const address = filled(told[field]);
    return address === undefined ? [] : [{ type, address }];
  });
}
