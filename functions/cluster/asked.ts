/**
 * Refuses what no machine of the control plane could accept, before anything is created: a name that nobody maps, a
 * version that the bootstrapper does not know, a format that cannot express its plans. What the control plane has
 * already stays, whatever the platform maps now.
 */
import { isAboutClaim, SlipwayError } from '#lib/api/errors.ts';
import { at, own, sameJson } from '#lib/api/json.ts';
import { NO_ZONE } from '#lib/api/fields/machine-template.ts';
import { markFault } from '#lib/api/fields/mark-rules.ts';
import { withValue } from '#lib/api/issues.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { type RefusedField, valuesAt } from '#lib/api/support/judge.ts';
import { BY_FLAVOUR, type Places } from '#lib/api/support/rows.ts';
import { type Asked, type Fault, imageFault, regionFault, regionOf, sizeFault } from '#lib/cloud/asked.ts';
import { roomsOf } from '#clouds/rooms.ts';
import { refuseUnsupported, SUPPORT } from '#clouds/support.ts';
import { refuseOtherDisks } from '#lib/cloud/first-boot-settings/layout.ts';
import { refuseUnreachable } from '#lib/cloud/first-boot-settings/reachable.ts';
import { refuseUnreadable } from '#lib/cloud/first-boot-settings/readable.ts';
import { hasCloudController } from '#lib/cloud/cloud-provider.ts';
import { INPUT_NAME } from '#lib/cloud/cluster-input.ts';
import type { InfrastructureCloud } from '#lib/cloud/infrastructure.ts';
import { versionFault as versionFaultOf } from '#lib/cloud/minors.ts';
import type { NativeNames } from '#lib/cloud/native-names.ts';
import { refuseConfig, refuseFlags, refuseHosts } from '../bootstrap/configs.ts';
import { bootstrapperTraits, controlPlaneProviders } from '../bootstrap/traits.ts';
import { refuseFirstBoot, refuseInClear, refuseTooMuch } from '../provisioning/formats.ts';
import { acceptedOf, FACTS } from '#lib/fn/cluster-facts.ts';
import { CONTROL_PLANE } from './control-plane.ts';
import { refuseDnsNames } from './dns-names.ts';
import { refuseFamilies, refuseReservedBlocks, refuseSmallBlocks } from './network-size.ts';
import type { Situation } from './situation.ts';
import { isBetween, isNewCluster } from './stage.ts';

const FIELD: Readonly<Record<Fault['field'], string>> = {
  class: 'spec.controlPlane.machine.class',
  instanceType: 'spec.controlPlane.machine.instanceType',
  image: 'spec.controlPlane.machine.image',
  version: 'spec.version',
  region: 'spec.region',
};

type Cloud = Pick<InfrastructureCloud<never>, 'nativeNames' | 'controlPlane' | 'anyAddresses'>;

/**
 * Throws InvalidClaim, Unsupported or PayloadTooLarge for the first field at fault. Of a cluster that has infrastructure
 * and no control plane yet, nobody knows what was mapped when it was accepted: its infrastructure goes on.
 * @returns why it gets no control plane then; undefined: it gets one
 */
export function refuseUnmapped(situation: Situation, cloud: Cloud): SlipwayError | undefined {
  const { cluster, owner, input } = situation;
  const isNew = isNewCluster(situation);
  refuseParts(situation);
  const isWaiting = cloud.controlPlane === 'machines' && isBetween(situation);
  const unsupported = (isThere: (field: RefusedField) => boolean): void =>
    void refuseUnsupported('Cluster', cluster.spec, input.cloud, owner, isThere);
  unsupported((field) => isKept(situation, field) || (isWaiting && isOfMachines(field)));
  if (isNew) {
    refuseDnsNames(cluster, owner);
    refuseReservedBlocks(cluster, owner);
    refuseFault(regionFault(cluster.spec.region, input, cloud.nativeNames), owner);
  }
  if (cloud.controlPlane === 'managed') {
    if (isNew) refuseBootstrap(situation, 'managed');
    return undefined;
  }
  if (!isWaiting) {
    refuseMachines(situation, cloud);
    return undefined;
  }
  try {
    unsupported((field) => isKept(situation, field));
    refuseMachines(situation, cloud);
    return undefined;
  } catch (thrown) {
    const error = SlipwayError.from(thrown);
    if (!isAboutClaim(error.code)) throw error;
    return error;
  }
}

function refuseMachines(situation: Situation, { nativeNames: names, anyAddresses = false }: Cloud): void {
  const { cluster, owner, input, observed } = situation;
  const isNew = isNewCluster(situation);
  if (isNew) refuseWorkersOnly(cluster.spec.bootstrap.provider, owner);
  refuseFault(versionFault(situation) ?? machineFault(situation, names), owner);
  if (isNew) {
    refuseNoZone(cluster, owner);
    refuseFamilies(cluster, owner, anyAddresses);
    refuseSmallBlocks(cluster, owner);
    refuseBootstrap(situation, 'machines');
  }
  if (!isThere(situation, ['version'], cluster.spec.version)) refuseBootstrapFlags(situation);
  const cloudLabels = hasCloudController(cluster.spec.bootstrap.config, input.cloudProvider);
  const marks = markFault(cluster.spec.controlPlane, { cloudLabels, role: 'control-plane' });
  const exists = observed.has(CONTROL_PLANE);
  // What its pool would refuse of an edit is refused here, with the rest of the edit.
  if (marks !== undefined && (!exists || isEdited(situation, 'controlPlane')))
    throw refusalFor(owner, `spec.controlPlane.${marks.field}`, marks.reason);
  if (exists && !isEdited(situation, 'provisioning')) return;
  const { provider } = cluster.spec.bootstrap;
  const { os } = cluster.spec.controlPlane.machine;
  if (os === 'windows')
    throw refusal(owner, 'spec.controlPlane.machine.os', os, 'linux; only pools of workers can have Windows');
  const { plan } = bootstrapperTraits(provider);
  const { provisioning, version } = cluster.spec;
  const newCluster = isNew ? { config: cluster.spec.bootstrap.config, version } : undefined;
  const pairing = { provider, plan, os, role: 'control-plane', newCluster } as const;
  if (isNew) {
    refuseUnreachable(provisioning, owner);
    refuseUnreadable(provisioning, owner);
  }
  refuseFirstBoot(provisioning, pairing, owner, input.otherFormats);
  refuseOtherDisks(provisioning, cluster.spec.controlPlane.machine.dataDisks, owner);
  if (isNew) refuseInClear(provisioning, pairing, owner, input);
  refuseTooMuch(provisioning, roomsOf(input.cloud), owner, input);
}

/** Whether the claim differs there from what was accepted before. */
function isEdited({ composite, observed }: Situation, field: string): boolean {
  const accepted = acceptedOf(observed.get(FACTS));
  return accepted !== undefined && !sameJson(at(accepted, field) ?? null, at(composite.spec, field) ?? null);
}

function refuseNoZone({ spec }: Situation['cluster'], owner: string): void {
  const { zones } = spec.controlPlane.machine;
  if (zones?.length === 0) throw refusalFor(owner, 'spec.controlPlane.machine.zones', withValue(zones, NO_ZONE));
}

function refuseWorkersOnly(provider: string, owner: string): void {
  if (bootstrapperTraits(provider).controlPlanes) return;
  throw refusal(owner, 'spec.bootstrap.provider', provider, controlPlaneProviders(), 'Unsupported');
}

function refuseFault(fault: Fault | undefined, owner: string): void {
  if (fault !== undefined) throw refusal(owner, FIELD[fault.field], fault.value, fault.accepted);
}

/** Chosen once: the API server refuses another value of a cluster that exists. */
const CHOSEN_ONCE = /^(region|network\.|controlPlane\.endpoint\.|infrastructure\.(existing|providerConfigRef)\.)/;

/** Whether only the pool of the control plane has it. */
function isOfMachines({ row }: RefusedField): boolean {
  return row === 'controlPlane.replicas' || poolPlace(row) !== undefined;
}

/** Whether the cluster was made with this value: a cloud that refuses it later leaves it. */
function isKept(situation: Situation, { row, value }: RefusedField): boolean {
  const { previous } = situation;
  if (CHOSEN_ONCE.test(row)) return previous.infrastructure !== undefined;
  if (row === 'controlPlane.allowedCIDRs') return sameJson(previous.controlPlane?.allowedCIDRs ?? null, value);
  const inPool = row === 'controlPlane.replicas' ? 'spec.replicas' : poolPlace(row);
  const pool = situation.observed.get(CONTROL_PLANE);
  if (pool === undefined || inPool === undefined) return false;
  return valuesAt({ spec: pool.spec ?? {} }, inPool).some((made) => sameJson(made.value, value));
}

function poolPlace(row: RefusedField['row']): string | undefined {
  return (BY_FLAVOUR[row] as Places).NodePool;
}

/** As its bootstrapper would refuse its machines: with a managed control plane, those of workers. */
function refuseBootstrap({ cluster, owner }: Situation, controlPlane: Cloud['controlPlane']): void {
  const { version, bootstrap } = cluster.spec;
  const role = controlPlane === 'managed' ? 'worker' : 'control-plane';
  refuseConfig(bootstrap.provider, bootstrap.config, { ofCluster: bootstrap.config, role, version, owner });
  refuseHosts(bootstrap.provider, bootstrap.config, owner);
}

/** A version that machines get may lack flags that an earlier one had. */
function refuseBootstrapFlags({ cluster, owner }: Situation): void {
  const { version, bootstrap } = cluster.spec;
  refuseFlags(bootstrap.provider, bootstrap.config, { role: 'control-plane', version, owner });
}

/** The platform would believe that machines have these, and the cloud makes its own. */
function refuseParts({ input }: Situation): void {
  const { securityGroups, identities } = input.existingParts;
  const fields = own(SUPPORT, input.cloud)?.fields;
  for (const [part, value, cell] of [
    ['securityGroups', securityGroups, fields?.['infrastructure.existing.securityGroups.worker']],
    ['identities', identities, fields?.['infrastructure.existing.identities.worker']],
  ] as const)
    if (value !== undefined && cell?.is === 'refused')
      throw refusal(INPUT_NAME, `existingParts.${part}`, value, cell.accepted, 'InvalidInput');
}

function machineFault(situation: Situation, names: NativeNames | undefined): Fault | undefined {
  const { cluster, input, previous } = situation;
  const asked: Asked = { ...cluster.spec.controlPlane.machine, version: cluster.spec.version };
  const size = sizeFault(asked, input, names);
  if (size !== undefined && !isThere(situation, ['machine', size.field], size.value)) return size;
  // A Composition of an earlier release has no images here; the machine step judges by its own.
  if (Object.keys(input.images).length === 0) return undefined;
  const region = previous.infrastructure?.region ?? regionOf(cluster.spec.region, input);
  const image = inWordsOf(cluster.spec.region, imageFault(asked, input, region, names));
  const fields = image?.bySize ? (['image', 'class', 'instanceType'] as const) : (['image'] as const);
  const same =
    isThere(situation, ['version'], asked.version) &&
    fields.every((field) => isThere(situation, ['machine', field], asked[field]));
  return same ? undefined : image;
}

/** A region as the claim says it. */
function inWordsOf(region: string, fault: Fault | undefined): Fault | undefined {
  return fault?.field === 'region' ? { ...fault, value: region } : fault;
}

function versionFault(situation: Situation): Fault | undefined {
  const { version, bootstrap } = situation.cluster.spec;
  const { provider, config } = bootstrap;
  if (isThere(situation, ['version'], version)) return undefined;
  const accepted = versionFaultOf(version, bootstrapperTraits(provider), provider, config);
  return accepted === undefined ? undefined : { field: 'version', value: version, accepted };
}

/** Whether the pool of the control plane has this value already. */
function isThere({ observed }: Situation, field: readonly string[], value: unknown): boolean {
  const pool = observed.get(CONTROL_PLANE);
  return pool !== undefined && sameJson(at(pool.spec, ...field) ?? null, value ?? null);
}
