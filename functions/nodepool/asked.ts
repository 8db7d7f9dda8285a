/**
 * What a pool asks for that no machine of it could accept: a name that nobody maps, a version that its bootstrapper does
 * not know, a format that cannot express its plans. An edit to it is refused; where its Cluster was edited, a pool that
 * exists goes on without new machines. Machines that have it already stay, and get no others beside them: the platform
 * may have withdrawn an image since.
 */
import { fieldAndCause, SlipwayError } from '#lib/api/errors.ts';
import { at, canonical, type Json, type JsonObject, sameJson } from '#lib/api/json.ts';
import { markFault } from '#lib/api/fields/mark-rules.ts';
import type { Taint } from '#lib/api/fields/node-marks.ts';
import { MOST_MACHINES } from '#lib/api/fields/update.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { knownMachineSpec } from '#lib/api/kinds/machine-spec.ts';
import { describeObject } from '#lib/api/names.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { type RefusedField, valuesAt } from '#lib/api/support/judge.ts';
import { BY_FLAVOUR, type Places } from '#lib/api/support/rows.ts';
import { type Asked, type Fault, imageFault, regionOf, sizeFault } from '#lib/cloud/asked.ts';
import { refuseOtherDisks } from '#lib/cloud/first-boot-settings/layout.ts';
import { refuseUnreachable } from '#lib/cloud/first-boot-settings/reachable.ts';
import { refuseUnreadable } from '#lib/cloud/first-boot-settings/readable.ts';
import { hasCloudController } from '#lib/cloud/cloud-provider.ts';
import { hasOverride, isMadeWith } from '#lib/cloud/made-with.ts';
import { minorFault } from '#lib/cloud/minors.ts';
import { overrideBeside } from '#lib/cloud/overrides-beside-fields.ts';
import type { Rooms } from '#lib/cloud/size.ts';
import { nativeNamesOf } from '#clouds/native-names.ts';
import { cloudFieldsOf } from '#clouds/fields.ts';
import { roomsOf } from '#clouds/rooms.ts';
import { refuseUnsupported } from '#clouds/support.ts';
import { refuseConfig } from '../bootstrap/configs.ts';
import { bootstrapperTraits } from '../bootstrap/traits.ts';
import { refuseFirstBoot, refuseInClear, refuseTooMuch } from '../provisioning/formats.ts';
import type { NodePoolInput } from './input.ts';
import type { PoolMachine } from './machines.ts';
import type { PoolSituation } from './situation.ts';
import { isEmptied, isNewPool, type ReadOverrides } from './size.ts';
import { type Template, templateOf } from './template.ts';
import { tolerated } from './tolerated.ts';
import { asWritten } from './field-origin.ts';
import { refuseZonesOfPool } from './zones.ts';

type Judged = Pick<PoolSituation, 'pool' | 'owner' | 'machines' | 'previous'>;

const FIELD: Readonly<Record<Fault['field'], string>> = {
  class: 'spec.machine.class',
  instanceType: 'spec.machine.instanceType',
  image: 'spec.machine.image',
  version: 'spec.version',
  // A pool has no region: it is that of its Cluster.
  region: 'spec.machine.image',
};

/** Of a Machine, for each field at fault. */
const IN_MACHINE: Readonly<Record<Fault['field'], readonly (readonly string[])[]>> = {
  class: [['machine', 'class']],
  instanceType: [['machine', 'instanceType']],
  image: [['machine', 'image'], ['version']],
  version: [['machine', 'image'], ['version']],
  region: [['machine', 'image'], ['version']],
};

const SIZE = [...IN_MACHINE.class, ...IN_MACHINE.instanceType];

/**
 * Throws InvalidClaim or Unsupported for what no machine has.
 * @param version  that new machines get; undefined: not known yet
 * @returns why no machine is created although those that exist stay; undefined: machines are created
 */
export function refuseUnmapped(
  judged: Judged,
  input: NodePoolInput,
  cluster: Cluster | undefined,
  version: string | undefined,
): string | undefined {
  const { pool, owner, machines } = judged;
  const cloud = cluster?.status?.infrastructure?.cloud ?? input.cloud;
  const unsupported = refuseUnsupported('NodePool', pool.spec, cloud, owner, (field) =>
    machines.some((machine) => hasValue(machine, field)),
  );
  const { overrides }: ReadOverrides = pool.spec.infrastructure;
  const { machine: wanted } = pool.spec;
  const beside = overrideBeside('spec.machine', wanted, overrides, cloudFieldsOf(cloud), owner, (override, field) => {
    const isMade = ({ object }: PoolMachine) =>
      hasOverride(object, override) && isMadeWith(object, [field], wanted[field]);
    return isEmptied(judged) || machines.some(isMade);
  });
  if (beside !== undefined) throw beside;
  const next = version ?? pool.spec.version ?? cluster?.spec.version;
  const template = cluster === undefined || next === undefined ? undefined : templateOf(pool, cluster, next);
  const fault = faultOf(pool.spec.machine, input, cluster, next);
  if (fault !== undefined) {
    const error = refusal(owner, FIELD[fault.field], fault.value, fault.accepted);
    const wanted = { machine: pool.spec.machine, version: next } as unknown as JsonObject;
    return kept(judged, cluster, error, ({ object }) =>
      [...IN_MACHINE[fault.field], ...(fault.bySize ? SIZE : [])].every((path) =>
        same(at(object.spec, ...path), at(wanted, ...path)),
      ),
    );
  }
  // Its own: those of a Cluster that exists were accepted.
  if (isNewPool(judged) && pool.spec.role === 'worker') {
    refuseUnreachable(pool.spec.provisioning, owner);
    refuseUnreadable(pool.spec.provisioning, owner);
  }
  refuseZonesOfPool(judged, input, cluster);
  // Without its Cluster, nobody knows whether a cloud labels its Nodes.
  const { config } = template?.bootstrap ?? { config: { cloudProvider: 'none' } };
  refuseUnlawful(judged, hasCloudController(config, input.cloudProvider));
  // Its machines have it: a new one would be refused.
  if (unsupported !== undefined) return fieldAndCause(unsupported);
  if (template === undefined || cluster === undefined) return undefined;
  const inConfig = errorOf(() => refuseBootstrap(judged, template, cluster));
  if (inConfig !== undefined)
    return kept(judged, cluster, asWritten(inConfig, pool, cluster, owner), ({ object }) =>
      [['bootstrap', 'provider'], ['bootstrap', 'config'], ['version']].every((path) =>
        same(at(object.spec, ...path), at(template as unknown as JsonObject, ...path)),
      ),
    );
  const error = firstBootError(judged, template, input, roomsOf(cloud));
  if (error === undefined) return undefined;
  return kept(
    judged,
    cluster,
    asWritten(error, pool, cluster, owner),
    ({ object }) => firstBootOf(object.spec) === firstBootOf(template),
  );
}

/**
 * Throws what the author of a pool wrote, unless a machine has it. What its Cluster says is no edit to the pool: one that
 * exists goes on without new machines.
 */
function kept(
  judged: Judged,
  cluster: Cluster | undefined,
  error: SlipwayError,
  hasIt: (machine: PoolMachine) => boolean,
): string {
  const { spec } = judged.pool;
  const isOfCluster =
    spec.role === 'control-plane' ||
    (error.field === FIELD.version && spec.version === undefined) ||
    (cluster !== undefined && error.field?.endsWith(` of ${describeObject(cluster)}`) === true);
  return isOfCluster && !isNewPool(judged) ? fieldAndCause(error) : tolerated(error, judged.machines, hasIt);
}

/** As its bootstrapper would refuse each machine. */
function refuseBootstrap({ pool, owner }: Judged, { bootstrap, version }: Template, cluster: Cluster): void {
  const { provider, config } = bootstrap;
  refuseConfig(provider, config, { ofCluster: cluster.spec.bootstrap.config, role: pool.spec.role, version, owner });
}

function errorOf(refuse: () => void): SlipwayError | undefined {
  try {
    refuse();
    return undefined;
  } catch (thrown) {
    return SlipwayError.from(thrown);
  }
}

/** Those that no machine has: one that an earlier release accepted hinders no other edit. */
function newOf(
  field: 'labels' | 'annotations',
  { spec }: Judged['pool'],
  machines: Judged['machines'],
): Readonly<Record<string, string>> {
  const isNew = ([key, value]: readonly [string, string]): boolean =>
    !machines.some(({ object }) => at(object.spec, field, key) === value);
  return Object.fromEntries(Object.entries(spec[field]).filter(isNew));
}

/** Marks of Nodes and budgets change without new machines: what the machines have already stays. */
function refuseUnlawful(judged: Judged, cloudLabels: boolean): void {
  const { pool, owner, machines } = judged;
  const { taints, update } = pool.spec;
  // Earlier releases accepted labels of control planes on workers: machines that are gone may have had them.
  const role = isEmptied(judged) ? 'control-plane' : pool.spec.role;
  const marks = { labels: newOf('labels', pool, machines), annotations: newOf('annotations', pool, machines), taints };
  const isThere = (taint: Taint) => machines.some((one) => hasTaint(one, taint));
  const fault = markFault(marks, { cloudLabels, role, isThere });
  if (fault !== undefined) throw refusalFor(owner, `spec.${fault.field}`, fault.reason);
  for (const field of ['maxSurge', 'maxUnavailable'] as const)
    if (Number(update[field]) > MOST_MACHINES && machines.length === 0)
      throw refusal(
        owner,
        `spec.update.${field}`,
        update[field],
        `at most ${MOST_MACHINES}, or a percentage such as 25%`,
      );
}

function hasTaint({ object }: PoolMachine, taint: Taint): boolean {
  const taints = at(object.spec, 'taints');
  return Array.isArray(taints) && taints.some((one: Json) => same(one, { ...taint }));
}

/** Whether a machine was made with this value of the pool; a field that no Machine has cannot tell. */
function hasValue({ object }: PoolMachine, { row, value }: RefusedField): boolean {
  const { Machine: place }: Places = BY_FLAVOUR[row];
  if (place !== undefined)
    return valuesAt({ spec: object.spec ?? {} }, place).some((made) => sameJson(made.value, value));
  const domain = at(object.spec, 'failureDomain');
  return row === 'machine.zones' && Array.isArray(value) && value.some((zone: Json) => zone === domain);
}

function faultOf(
  asked: Omit<Asked, 'version'>,
  input: NodePoolInput,
  cluster: Cluster | undefined,
  version: string | undefined,
): Fault | undefined {
  const infrastructure = cluster?.status?.infrastructure;
  const names = nativeNamesOf(infrastructure?.cloud ?? input.cloud);
  const size = sizeFault({ ...asked, version: version ?? '' }, input, names);
  if (size !== undefined || cluster === undefined || version === undefined) return size;
  const { provider } = cluster.spec.bootstrap;
  const { minors } = bootstrapperTraits(provider);
  const accepted = minors === undefined ? undefined : minorFault(version, minors, provider);
  if (accepted !== undefined) return { field: 'version', value: version, accepted };
  // A Composition of an earlier release has no images here; the machine step judges by its own.
  if (Object.keys(input.images).length === 0) return undefined;
  const region = infrastructure?.region ?? regionOf(cluster.spec.region, input);
  const { classes, images, defaultImage } = input;
  return imageFault({ ...asked, version }, { classes, images, defaultImage }, region, names);
}

/** The settings of the first boot alone: the plan of a bootstrapper is not known before there is a machine. */
function firstBootError(
  judged: Judged,
  { bootstrap: { provider }, provisioning, machine: { os, dataDisks }, role }: Template,
  input: NodePoolInput,
  rooms: Rooms | undefined,
): SlipwayError | undefined {
  const { owner } = judged;
  const { plan } = bootstrapperTraits(provider);
  return errorOf(() => {
    const pairing = { provider, plan, os, role };
    refuseFirstBoot(provisioning, pairing, owner, input.otherFormats);
    const own = role === 'worker' ? judged.pool.spec.provisioning.filesystems.length : provisioning.filesystems.length;
    refuseOtherDisks(provisioning, dataDisks, owner, provisioning.filesystems.length - own);
    if (isChosenNow(judged, ['provisioning', 'format'], provisioning.format))
      refuseInClear(provisioning, pairing, owner, input);
    if (isNewPool(judged)) refuseTooMuch(provisioning, rooms, owner, input);
  });
}

/** Of a pool that is new, or none of whose machines has it. Those of one without machines may have had it. */
function isChosenNow(judged: Judged, path: readonly string[], value: Json | undefined): boolean {
  const { machines } = judged;
  return (
    isNewPool(judged) || (machines.length > 0 && !machines.some(({ object }) => same(at(object.spec, ...path), value)))
  );
}

function firstBootOf(spec: object | undefined): string {
  const { provisioning, machine } = knownMachineSpec((spec ?? {}) as JsonObject);
  return canonical({ provisioning: provisioning ?? {}, os: at(machine, 'os') ?? 'linux' });
}

function same(left: Json | undefined, right: Json | undefined): boolean {
  return sameJson(left ?? null, right ?? null);
}
