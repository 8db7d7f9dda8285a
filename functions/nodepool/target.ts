/** What the machines of a pool are to be in this call: what its claim asks for, or all of what was accepted before. */
import { fieldAndCause, SlipwayError } from '#lib/api/errors.ts';
import { type KubeObject, sameJson } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { AcceptedTemplate } from '#lib/api/kinds/node-pool.ts';
import { CLUSTER_SETTINGS } from '#lib/api/words.ts';
import { clusterSettings } from '#lib/fn/cluster-settings.ts';
import { type Accepted, asAccepted, MARKS, presentIn, recordedOf, recordOf } from './accepted.ts';
import { refuseUnmapped } from './asked.ts';
import type { NodePoolInput } from './input.ts';
import { isSameTemplate } from './outdated.ts';
import type { PoolSituation } from './situation.ts';
import type { ReadPool } from './size.ts';
import type { HeldBy } from './slot.ts';
import { type Template, templateOf } from './template.ts';
import { type HeldVersion, PASSING, type VersionPlan } from './version.ts';

/** What a pool waits for before its machines become what its claim asks for. */
export interface Waits {
  /** One word, for a condition. */
  readonly reason: HeldBy | HeldVersion['reason'];
  readonly message: string;
}

export interface Target {
  /** With the pool, the Cluster and the version that machines are made from. */
  readonly situation: PoolSituation;
  readonly cluster: Cluster;
  readonly version: VersionPlan;
  readonly template: Template;
  /** What the claim asks for. */
  readonly asked: { readonly pool: ReadPool; readonly template: Template };
  /** Why no machine like the template could be created, though some exist; undefined: machines are created. */
  readonly refused: string | undefined;
  readonly waits: Waits | undefined;
  /** For the status. */
  readonly record: AcceptedTemplate | undefined;
}

/** The version of the claim, whatever it waits for. */
export function askedVersion({ spec }: ReadPool, cluster: Cluster): string {
  return spec.role === 'control-plane' ? cluster.spec.version : (spec.version ?? cluster.spec.version);
}

/** A control plane reads its Cluster and its own spec, which the Cluster writes: both have to be of the same edit. */
export function withCluster(
  version: VersionPlan,
  { pool, composite }: PoolSituation,
  cluster: KubeObject | undefined,
): VersionPlan {
  const written = composite.metadata?.annotations?.[CLUSTER_SETTINGS];
  const isSame = cluster === undefined || written === undefined || written === clusterSettings(cluster);
  if (pool.spec.role !== 'control-plane' || isSame || version.held !== undefined) return version;
  const message = `the edit of Cluster ${pool.spec.clusterRef.name} waits until the Cluster has written all of it on the pool`;
  return { ...version, held: { reason: 'WaitingForCluster', message } };
}

/** What holds whole while a part of the claim waits or is refused; undefined: the claim does. */
export function acceptedInstead(
  { previous, machines }: PoolSituation,
  { version, held, noNewMachines }: VersionPlan,
  refused: string | undefined,
): Accepted | undefined {
  if (version === undefined || noNewMachines !== undefined) return undefined;
  if (held !== undefined) return recordedOf(previous) ?? presentIn(machines, version);
  return refused === undefined ? undefined : recordedOf(previous);
}

/** A new pool whose image may be that of a version that it has to wait for. */
export function isEarly(
  { pool, machines }: PoolSituation,
  { held }: VersionPlan,
  accepted: Accepted | undefined,
): boolean {
  const { role, machine } = pool.spec;
  if (held === undefined || accepted !== undefined || machines.length > 0) return false;
  return role === 'worker' && PASSING.has(held.reason) && machine.image !== undefined;
}

/** Why the claim is refused, and what of this holds for whatever was accepted, too. */
export interface Refusals {
  readonly refused: string | undefined;
  readonly always: string | undefined;
}

export function targetOf(
  situation: PoolSituation,
  cluster: Cluster,
  version: VersionPlan & { readonly version: string },
  {
    accepted,
    input,
    refused,
    always,
  }: Refusals & { readonly accepted: Accepted | undefined; readonly input: NodePoolInput },
): Target {
  const { pool, previous } = situation;
  const asked = { pool, template: templateOf(pool, cluster, askedVersion(pool, cluster)) };
  if (accepted === undefined) {
    const template = templateOf(pool, cluster, version.version);
    const isAccepted = version.held === undefined && refused === undefined;
    const { zones } = pool.spec.machine;
    const record = isAccepted ? recordOf({ template, zones, rolloutAfter: pool.spec.update.rolloutAfter }) : undefined;
    return {
      situation,
      cluster,
      version,
      template,
      asked,
      refused,
      waits: version.held,
      record: record ?? previous.accepted,
    };
  }
  const { pool: own, cluster: its } = asAccepted(pool, cluster, accepted);
  const kept = { ...version, version: accepted.template.version };
  const template = templateOf(own, its, kept.version);
  const still = always ?? refusedOf(() => refuseUnmapped({ ...situation, pool: own }, input, its, kept.version));
  return {
    situation: { ...situation, pool: own },
    cluster: its,
    version: kept,
    template,
    asked,
    refused: still,
    waits: refused === undefined ? version.held && waitsWhole(version.held, asked, accepted) : notAccepted(refused),
    record: recordOf(accepted),
  };
}

/** Throws what is no refusal. */
function refusedOf(judge: () => string | undefined): string | undefined {
  try {
    return judge();
  } catch (thrown) {
    const error = SlipwayError.from(thrown);
    if (error.code === 'Internal') throw thrown;
    return fieldAndCause(error);
  }
}

function waitsWhole({ reason, message }: HeldVersion, { pool, template }: Target['asked'], kept: Accepted): Waits {
  const isAlone =
    isSameTemplate({ ...template, version: kept.template.version }, kept.template, MARKS) &&
    sameJson([...(pool.spec.machine.zones ?? [])], [...(kept.zones ?? [])]) &&
    pool.spec.update.rolloutAfter === kept.rolloutAfter;
  return { reason, message: isAlone ? message : `${message}; the rest of the edit waits with it` };
}

function notAccepted(refused: string): Waits {
  return { reason: 'NotAccepted', message: `${refused}; machines stay what was accepted before` };
}
