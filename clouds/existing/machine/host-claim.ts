/** The claim of a host. What it asks for stays as it was asked: another host is another machine. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import { at, isJsonObject, type Json, type KubeObject, sameJson } from '#lib/api/json.ts';
import type { HostClaimSpec } from '#lib/api/kinds/host.ts';
import { dataDisksOf } from '#lib/cloud/data-disks.ts';
import { payloadName } from '#lib/cloud/first-boot.ts';
import { labelsOf } from '#lib/cloud/labels.ts';
import { instanceTypeOf } from '#lib/cloud/machine-input.ts';
import { HOST, HOST_CLAIM } from '../kinds.ts';
import { imageOf } from './image.ts';
import type { Situation } from './situation.ts';

export interface Claimed {
  readonly resource: KubeObject;
  /** Fields of the claim that differ from what the host was asked for. */
  readonly kept: readonly string[];
}

export function hostClaim(situation: Situation, infrastructure: InfrastructureStatus): Claimed {
  const { machine, observed } = situation;
  const { name, namespace } = machine.metadata;
  const wanted = wantedOf(situation, infrastructure);
  const made = at(observed.get(HOST), 'spec', 'forProvider');
  const { loadBalancerTargets } = wanted;
  const forProvider = isJsonObject(made) ? { ...made, loadBalancerTargets } : wanted;
  return {
    resource: {
      ...HOST_CLAIM,
      metadata: { name, namespace, labels: labelsOf(machine) },
      spec: { forProvider },
    },
    kept: differing(wanted, forProvider),
  };
}

function wantedOf(
  situation: Situation,
  { region, ...infrastructure }: InfrastructureStatus,
): HostClaimSpec['forProvider'] {
  const { machine, input } = situation;
  const { name } = machine.metadata;
  const { role, failureDomain, version } = machine.spec;
  const { sizeGiB, type, encrypted } = machine.spec.machine.rootDisk;
  const dataDisks = dataDisksOf(situation).map(({ name: disk, sizeGiB: least, type: kind, encrypted: sealed }) => ({
    name: disk,
    sizeGiB: least,
    ...(kind === undefined ? {} : { type: kind }),
    encrypted: sealed,
  }));
  const image = imageOf(situation, region);
  const attachments = role === 'control-plane' ? infrastructure.controlPlane : infrastructure.worker;
  return {
    region,
    ...(failureDomain === undefined ? {} : { failureDomain }),
    size: instanceTypeOf(machine, input),
    ...(image === undefined ? {} : { image }),
    version,
    rootDisk: { sizeGiB, ...(type === undefined ? {} : { type }), encrypted },
    ...(dataDisks.length === 0 ? {} : { dataDisks }),
    role,
    nodeName: name,
    loadBalancerTargets: (attachments?.loadBalancerTargets ?? []).map(({ id, port }) => ({ id, port })),
    userDataSecretRef: { name: payloadName(name), key: PAYLOAD_KEYS.value },
  };
}

/** What the first boot alone decides, such as the version, is reported by the pool. */
const COMPARED = [
  'failureDomain',
  'size',
  'image',
  'rootDisk.sizeGiB',
  'rootDisk.type',
  'rootDisk.encrypted',
  'dataDisks',
] as const;

function differing(wanted: object, made: object): readonly string[] {
  return COMPARED.filter((field) => {
    const path = field.split('.');
    const [want, have] = [wanted, made].map((one) => at(one as Json, ...path));
    return want !== undefined && !sameJson(want, have ?? null);
  });
}
