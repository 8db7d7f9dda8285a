/**
 * Decides what each machine of a pool should be: how many, in which slot, where, named how, made of what. It
 * never looks at what a machine is made of now – getting from one to the other is the next step's decision.
 */
import { seconds } from '#lib/api/fields/text.ts';
import { type KubeObject, at } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { API_VERSION, CONTEXT, LABEL } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { domainsOf } from './placement.ts';
import { planSlots, type Slot } from './plan.ts';
import { Mould } from './render.ts';
import { report } from './report.ts';
import { serialOf } from './machines.ts';
import { readCluster, readSituation, type Situation } from './situation.ts';
import { templateOf } from './template.ts';

export const run: CompositionFunction = (request) => {
  const situation = readSituation(request);
  const { pool, input } = situation;
  const { name, namespace } = pool.metadata;
  const reply = new Reply(request);
  if (input.ttl !== undefined) reply.ttl(seconds(input.ttl));

  const clusters = reply.require('cluster', {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    namespace,
    matchName: pool.spec.clusterRef.name,
  });
  const all = reply.require('machines', {
    apiVersion: API_VERSION,
    kind: 'Machine',
    namespace,
    matchLabels: { [LABEL.nodePool]: name },
  });
  const leaving = leavingOf(all ?? [], request);
  const [object] = clusters ?? [];
  const cluster = object === undefined ? undefined : readCluster(object);
  reply.context(CONTEXT.leaving, leaving.length);
  const waiting = all === undefined ? 'waiting for the list of machines' : waitingFor(situation, cluster);

  if (cluster === undefined || waiting !== undefined) {
    keepAll(reply, situation);
    report(reply, situation, {
      waiting,
      notes: [],
      leaving: leaving.length,
      nextSerial: nextSerial(situation, leaving),
    });
    return reply.notReady();
  }
  compose(reply, situation, cluster, leaving);
  return reply;
};

/**
 * Machines on their way out. What was required comes from a cache that may not know yet that Crossplane deletes one:
 * then it is still the pool's own, and not among what is observed any more.
 */
function leavingOf(all: readonly KubeObject[], { observed }: Request): readonly KubeObject[] {
  const pool = observed.composite.metadata?.uid;
  const seen = new Set([...observed.resources.values()].map(({ resource }) => resource.metadata?.uid));
  const isOwn = ({ metadata }: KubeObject): boolean => {
    const owners = metadata?.['ownerReferences'];
    return Array.isArray(owners) && owners.some((owner) => pool !== undefined && at(owner, 'uid') === pool);
  };
  return all.filter((machine) => {
    const { uid, deletionTimestamp } = machine.metadata ?? {};
    return deletionTimestamp !== undefined || (uid !== undefined && !seen.has(uid) && isOwn(machine));
  });
}

/** What must be there before the pool can make machines. One that has machines goes on with what it has. */
function waitingFor({ pool, machines }: Situation, cluster: Cluster | undefined): string | undefined {
  const { name } = pool.spec.clusterRef;
  if (cluster === undefined) return `waiting for Cluster "${pool.metadata.namespace}/${name}": not found`;
  if (machines.length > 0) return undefined;
  if (cluster.status?.infrastructure?.ready !== true) return `waiting for the infrastructure of Cluster ${name}`;
  if (cluster.status.controlPlaneEndpoint === undefined)
    return `waiting for the control-plane endpoint of Cluster ${name}`;
  const initialized = cluster.status.controlPlane?.initialized === true;
  if (pool.spec.role === 'worker' && !initialized)
    return `waiting for the control plane of Cluster ${name} to be initialized`;
  return undefined;
}

function compose(reply: Reply, situation: Situation, cluster: Cluster, leaving: readonly KubeObject[]): void {
  const { pool, machines, owner, previous } = situation;
  const infrastructure = cluster.status?.infrastructure;
  const plan = planSlots({
    pool,
    machines,
    leaving: leaving.map(({ metadata }) => Number(metadata?.labels?.[LABEL.slot])).filter(Number.isInteger),
    domains: infrastructure === undefined ? [] : domainsOf(pool, infrastructure, owner),
    initialized: previous.initialized || cluster.status?.controlPlane?.initialized === true,
  });
  const template = templateOf(pool, cluster, owner);
  const names = new Set(leaving.map(({ metadata }) => metadata?.name ?? ''));
  const mould = new Mould(pool, template, nextSerial(situation, leaving), names);
  for (const slot of plan.slots) composeSlot(reply, situation, slot, mould.machine(slot));
  if (plan.slots.length !== pool.spec.replicas) reply.notReady();
  report(reply, situation, {
    waiting: undefined,
    notes: plan.notes,
    leaving: leaving.length,
    nextSerial: nextSerial(situation, leaving),
  });
}

/** A paused pool's machines, and one that is about to start the cluster, stay exactly as they are. */
function composeSlot(reply: Reply, { pool, machines }: Situation, slot: Slot, machine: KubeObject): void {
  const existing = machines.filter(({ slot: number }) => number === slot.number);
  if (existing.length > 0 && (pool.spec.paused || slot.initialize)) {
    for (const { key, object, ready } of existing) reply.compose(key, asDesired(object), ready);
    return;
  }
  reply.compose(
    `slot-${slot.number}`,
    machine,
    existing.some(({ ready }) => ready),
  );
}

function keepAll(reply: Reply, { machines }: Situation): void {
  for (const { key, object, ready } of machines) reply.compose(key, asDesired(object), ready);
}

/** Counted by what is seen, not by what is desired: a call that is made again, before its machines are seen, gives the same names. */
function nextSerial({ machines, previous }: Situation, leaving: readonly KubeObject[]): number {
  const seen = [...machines.map(({ serial }) => serial), ...leaving.map(serialOf)];
  return seen.reduce((next, serial) => Math.max(next, serial + 1), previous.nextSerial);
}
