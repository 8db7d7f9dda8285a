/** The virtual machine as GCP reports it. */
import { z } from 'zod';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { ABSENT, type Address, type VirtualMachine } from '#lib/cloud/machine.ts';
import { notFound } from '#lib/cloud/not-found.ts';
import { filled, settledSize } from '#lib/cloud/reported.ts';
import { projectIn } from '../project.ts';
import { lackOfCapacity } from './capacity.ts';
import { INSTANCE } from './name.ts';

const text = () => z.string().optional();
const Report = z.looseObject({
  status: z
    .looseObject({
      atProvider: z
        .looseObject({
          id: text(),
          instanceId: text(),
          currentStatus: text(),
          zone: text(),
          machineType: text(),
          networkInterface: z
            .array(
              z.looseObject({
                networkIp: text(),
                accessConfig: z.array(z.looseObject({ natIp: text() })).optional(),
              }),
            )
            .optional(),
        })
        .optional(),
    })
    .optional(),
});
type AtProvider = NonNullable<NonNullable<z.output<typeof Report>['status']>['atProvider']>;

/**
 * It is known by the number that GCP gives it: a machine that is created again has the same name. One that GCP
 * stopped, such as a preempted one, still exists and may run again.
 */
export function read(all: ReadonlyMap<string, KubeObject>): VirtualMachine {
  const observed = all.get(INSTANCE);
  if (observed === undefined) return ABSENT;
  const { status } = parseAs(Report, observed, describeObject(observed), 'InvalidObserved');
  const atProvider = status?.atProvider ?? {};
  const id = filled(atProvider.instanceId);
  const name = filled(observed.metadata?.annotations?.[CROSSPLANE.externalName]);
  return {
    id,
    running: atProvider.currentStatus === 'RUNNING',
    ended: false,
    notFound: id === undefined ? undefined : notFound(observed, REFUSED),
    failureDomain: lastPart(filled(atProvider.zone)),
    providerIDValues: { instanceId: name },
    instanceType: settledSize(observed, 'machineType', lastPart(filled(atProvider.machineType))),
    noCapacity: id === undefined ? lackOfCapacity(observed) : undefined,
    addresses: addressesOf(atProvider, name),
  };
}

/** The provider says these also of a machine that is there: it was refused before it could look. */
const REFUSED = /\bError 40[13]\b|credentials|invalid_grant|oauth2/i;

/** Some answers have the address of a zone or type instead of its name. */
function lastPart(value: string | undefined): string | undefined {
  return value?.split('/').at(-1);
}

function addressesOf({ networkInterface, zone, id }: AtProvider, name: string | undefined): readonly Address[] {
  const [first] = networkInterface ?? [];
  const internal = filled(first?.networkIp);
  const external = filled(first?.accessConfig?.[0]?.natIp);
  const [project, place] = [projectIn(id), lastPart(filled(zone))];
  const isNamed = internal !== undefined && name !== undefined && project !== undefined && place !== undefined;
  return [
    ...(internal === undefined ? [] : [{ type: 'InternalIP', address: internal }]),
    ...(isNamed ? [{ type: 'InternalDNS', address: `${name}.${place}.c.${project}.internal` }] : []),
    ...(external === undefined ? [] : [{ type: 'ExternalIP', address: external }]),
  ];
}
