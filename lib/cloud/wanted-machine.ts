/** What the claim of a Machine comes to in its cloud, by the catalog of its Composition. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { failureDomainOf } from './failure-domain.ts';
import { machineImage } from './machine-asked.ts';
import { instanceTypeOf } from './machine-input.ts';
import type { MachineSituation } from './machine.ts';
import type { NativeNames } from './native-names.ts';

/** Undefined: nothing that the platform or the Cluster knows. */
export interface WantedMachine {
  readonly zone: string | undefined;
  readonly subnet: string | undefined;
  readonly instanceType: string;
  readonly image: string | undefined;
  /** Of the root disk, in GiB. */
  readonly diskSize: number;
  readonly diskType: string;
}

/** @param diskType  for claims that do not say it */
export function wantedMachine(
  situation: MachineSituation,
  infrastructure: InfrastructureStatus,
  names: NativeNames,
  diskType: string,
): WantedMachine {
  const { machine, input } = situation;
  const found = failureDomainOf(situation, infrastructure);
  const { rootDisk } = machine.spec.machine;
  return {
    zone: found?.name,
    subnet: found?.subnet,
    instanceType: instanceTypeOf(machine, input),
    image: machineImage(situation, infrastructure.region, names),
    diskSize: rootDisk.sizeGiB,
    diskType: rootDisk.type ?? diskType,
  };
}
