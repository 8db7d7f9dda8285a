/** The virtual machine as Azure reports it. */
import { z } from 'zod';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { ABSENT, type Address, type VirtualMachine } from '#lib/cloud/machine.ts';
import { notFound } from '#lib/cloud/not-found.ts';
import { filled, settledSize } from '#lib/cloud/reported.ts';
import { lackOfCapacity } from './capacity.ts';
import { INSTANCE } from './name.ts';

const text = () => z.string().optional();
const Report = z.looseObject({
  status: z
    .looseObject({
      atProvider: z
        .looseObject({
          virtualMachineId: text(),
          location: text(),
          zone: text(),
          size: text(),
          computerName: text(),
          privateIpAddress: text(),
          publicIpAddress: text(),
        })
        .optional(),
    })
    .optional(),
});
type AtProvider = NonNullable<NonNullable<z.output<typeof Report>['status']>['atProvider']>;

/**
 * It is known by the number that Azure gives it: a machine that is created again has the same name. Whether it is
 * stopped is not reported: its node tells.
 */
export function read(all: ReadonlyMap<string, KubeObject>): VirtualMachine {
  const observed = all.get(INSTANCE);
  if (observed === undefined) return ABSENT;
  const { status } = parseAs(Report, observed, describeObject(observed), 'InvalidObserved');
  const atProvider = status?.atProvider ?? {};
  const id = filled(atProvider.virtualMachineId);
  return {
    id,
    running: id !== undefined,
    ended: false,
    notFound: id === undefined ? undefined : notFound(observed, REFUSED),
    failureDomain: zoneOf(atProvider),
    providerIDValues: { instanceId: filled(observed.metadata?.annotations?.[CROSSPLANE.externalName]) },
    instanceType: settledSize(observed, 'size', filled(atProvider.size)),
    noCapacity: id === undefined ? lackOfCapacity(observed) : undefined,
    addresses: addressesOf(atProvider),
  };
}

/** The provider says these also of a machine that is there: it was refused before it could look. */
const REFUSED = /\b40[13] \(|Authorization|Authentication|credentials|invalid_client|AADSTS|oauth2/i;

function zoneOf({ location, zone }: AtProvider): string | undefined {
  const [region, number] = [filled(location), filled(zone)];
  return region === undefined || number === undefined ? undefined : `${region}-${number}`;
}

function addressesOf({ privateIpAddress, publicIpAddress, computerName }: AtProvider): readonly Address[] {
  const [internal, external, host] = [privateIpAddress, publicIpAddress, computerName].map(filled);
  return [
    ...(internal === undefined ? [] : [{ type: 'InternalIP', address: internal }]),
    ...(host === undefined ? [] : [{ type: 'Hostname', address: host }]),
    ...(external === undefined ? [] : [{ type: 'ExternalIP', address: external }]),
  ];
}
