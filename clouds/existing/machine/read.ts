/** The host of a machine, as provider-node reports it on its claim. */
import { z } from 'zod';
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { HostClaimStatus } from '#lib/api/kinds/host.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { ABSENT, type VirtualMachine } from '#lib/cloud/machine.ts';
import { HOST } from '../kinds.ts';

const Report = z.looseObject({ status: HostClaimStatus.prefault({}) });

/**
 * It is known by the name of its Host: whoever writes the Host again does not make it another machine. Whether it is
 * switched on, nobody reports; its node tells.
 */
export function read(all: ReadonlyMap<string, KubeObject>): VirtualMachine {
  const observed = all.get(HOST);
  if (observed === undefined) return ABSENT;
  const { status } = parseAs(Report, observed, describeObject(observed), 'InvalidObserved');
  const { host, failureDomain, addresses = [] } = status.atProvider ?? {};
  const ready = conditionOf(observed, 'Ready');
  return {
    id: host,
    running: host !== undefined && ready?.status === 'True',
    ended: false,
    failureDomain,
    providerIDValues: {},
    instanceType: undefined,
    noCapacity: host === undefined && ready?.reason === 'NoHost' ? ready.message : undefined,
    addresses,
  };
}
