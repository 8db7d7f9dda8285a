/**
 * The virtual machine. Fields that GCP could only change by stopping or replacing it stay as they were created: a
 * machine changes by being replaced, never without its node being drained.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { InfrastructureStatus, MachineAttachments } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { machineImage, refuseUnmapped } from '#lib/cloud/machine-asked.ts';
import { instanceTypeOf } from '#lib/cloud/machine-input.ts';
import { overrideMatches } from '#lib/fn/overrides.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { machineLabels } from './labels.ts';
import { INSTANCE, nameOf } from './name.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';

export interface Instance {
  readonly resource: KubeObject;
  readonly kept: readonly string[];
  readonly unfinished: string | undefined;
}

/**
 * @param metadata undefined: not observed on an existing machine
 * @param released whether its type may change now: its node is drained, and the stop is expected
 */
export function instanceOf(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  metadata: JsonObject | undefined,
  released: boolean,
): Instance {
  const { machine } = situation;
  const observed = situation.observed.get(INSTANCE);
  const attachments = attachmentsOf(situation, infrastructure);
  const wanted = chosen(situation, infrastructure);
  const existing = at(observed, 'spec', 'forProvider');
  const made =
    observed === undefined
      ? created(situation, infrastructure, wanted, attachments)
      : keptOf(existing, released ? wanted.machineType : undefined);
  const forProvider: JsonObject = {
    ...made,
    // Otherwise GCP refuses every change that would stop it.
    allowStoppingForUpdate: released,
    tags: attachments?.securityGroups ?? at(existing, 'tags') ?? [],
    labels: machineLabels(situation, infrastructure),
  };
  return {
    resource: managed(situation, 'Instance', {
      name: machine.metadata.name,
      externalName: nameOf(situation, infrastructure),
      forProvider,
      // Not in forProvider: it is read on the first boot only.
      initProvider: metadata === undefined ? undefined : { metadata },
    }),
    kept: observed === undefined ? [] : differing(situation, wanted, forProvider),
    unfinished: released ? unfinished(situation, observed, wanted.machineType) : undefined,
  };
}

/** What the claim comes to. */
interface Chosen {
  readonly zone: string | undefined;
  readonly subnet: string | undefined;
  readonly machineType: string;
  readonly image: string | undefined;
  readonly size: number;
  readonly type: string;
}

function chosen(situation: Situation, infrastructure: InfrastructureStatus): Chosen {
  const { machine, input } = situation;
  const domain = machine.spec.failureDomain ?? infrastructure.failureDomains[0]?.name;
  const found = infrastructure.failureDomains.find(({ name }) => name === domain);
  const { rootDisk } = machine.spec.machine;
  return {
    zone: found?.name,
    subnet: found?.subnet,
    machineType: instanceTypeOf(machine, input),
    image: machineImage(situation, infrastructure.region, NATIVE_NAMES),
    size: rootDisk.sizeGiB,
    type: rootDisk.type ?? input.gcp.diskType,
  };
}

/** Throws InvalidClaim if a value of the claim maps to nothing. Only before creation. */
function created(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  { zone, subnet, machineType, image, size, type }: Chosen,
  attachments: MachineAttachments | undefined,
): JsonObject {
  const { machine, owner, input } = situation;
  if (attachments?.identity === undefined)
    throw new SlipwayError(
      'BrokenContract',
      `cannot place ${owner}: status.infrastructure of its Cluster is ready but has no identity for role ${machine.spec.role}`,
    );
  refuseUnmapped(situation, infrastructure.region, NATIVE_NAMES);
  if (zone === undefined || subnet === undefined) {
    const known = infrastructure.failureDomains.map(({ name }) => name).toSorted();
    const accepted = known.length === 0 ? 'none yet, since the Cluster has no failure domains' : known.join(', ');
    throw refusal(owner, 'spec.failureDomain', machine.spec.failureDomain, accepted);
  }
  const key = machine.spec.machine.rootDisk.encrypted ? encryptionKey(infrastructure, input.gcp.kmsKey) : undefined;
  return {
    zone,
    machineType,
    bootDisk: {
      autoDelete: true,
      initializeParams: { image, size, type, labels: machineLabels(situation, infrastructure) },
      ...(key === undefined ? {} : { kmsKeySelfLink: key }),
    },
    networkInterface: [{ subnetwork: subnet }],
    serviceAccount: { email: attachments.identity, scopes: ['cloud-platform'] },
    canIpForward: input.gcp.ipForwarding,
  };
}

/** Fields of forProvider that stay as they were created. */
const KEPT = ['zone', 'machineType', 'bootDisk', 'networkInterface', 'serviceAccount', 'canIpForward'] as const;

/** @param machineType that it gets now */
function keptOf(existing: Json | undefined, machineType: string | undefined): JsonObject {
  const kept = KEPT.map((field) => [field, at(existing, field)] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), ...(machineType === undefined ? {} : { machineType }) };
}

/** Fields of the claim that differ from the machine as it is; a field that an override sets is not compared. */
function differing(situation: Situation, wanted: Chosen, made: JsonObject): readonly string[] {
  const disk = ['bootDisk', 'initializeParams'];
  const fields: readonly (readonly [path: readonly string[], want: string | number | undefined])[] = [
    [['zone'], wanted.zone],
    [['machineType'], wanted.machineType],
    [[...disk, 'image'], wanted.image],
    [[...disk, 'size'], wanted.size],
    [[...disk, 'type'], wanted.type],
  ];
  return fields
    .filter(([path, want]) => want !== undefined && !isOverridden(situation, path) && at(made, ...path) !== want)
    .map(([path]) => path.join('.'));
}

function isOverridden({ machine }: Situation, path: readonly string[]): boolean {
  return machine.spec.infrastructure.overrides.some(
    (override) =>
      overrideMatches(override, INSTANCE, 'Instance') &&
      at(override.patch, 'spec', 'forProvider', ...path) !== undefined,
  );
}

/** The desired type may not be running yet. */
function unfinished(situation: Situation, observed: KubeObject | undefined, wanted: string): string | undefined {
  const reported = stringAt(observed, 'status', 'atProvider', 'machineType');
  if (reported === wanted || isOverridden(situation, ['machineType'])) return undefined;
  return `machineType is ${reported ?? 'not known'}, expected ${wanted}`;
}
