/** Turns the plan of a pool into what is desired and said, once everything it needs is there. */
import { runsEtcd } from '#lib/api/etcd.ts';
import { timeOf } from '#lib/api/fields/text.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { CONTEXT, LABEL, TTL } from '#lib/api/words.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { judge } from './health.ts';
import { nextSerial } from './leaving.ts';
import type { PoolMachine } from './machines.ts';
import { domainsOf } from './placement.ts';
import { planSlots } from './plan.ts';
import { Mould } from './render.ts';
import { report } from './report.ts';
import { rolloutAfterOf } from './restart.ts';
import type { Situation } from './situation.ts';
import type { Slot } from './slot.ts';
import { isExempt } from './succession.ts';
import type { Template } from './template.ts';
import type { VersionPlan } from './version.ts';

/** What a situation does not say. */
export interface Around {
  readonly template: Template;
  readonly version: VersionPlan;
  readonly cluster: Cluster;
  readonly leaving: readonly KubeObject[];
  readonly now: Date;
}

export function compose(
  reply: Reply,
  situation: Situation,
  { template, version, cluster, leaving, now }: Around,
): void {
  const { pool, machines, owner, previous } = situation;
  const infrastructure = cluster.status?.infrastructure;
  const plan = planSlots({
    pool,
    machines,
    leaving: leaving.map(({ metadata }) => Number(metadata?.labels?.[LABEL.slot])).filter(Number.isInteger),
    domains: infrastructure === undefined ? [] : domainsOf(pool, infrastructure, owner),
    initialized: previous.initialized || cluster.status?.controlPlane?.initialized === true,
    runsEtcd: runsEtcd(template.bootstrap, cluster.status?.certificates),
    pending: previous.pendingRemediations,
    now: now.getTime(),
  });
  lookAgain(reply, now, [
    plan.nextCheck,
    timeOf(pool.spec.update.rolloutAfter),
    ...machines.map((one) => one.availableAt),
  ]);
  const names = new Set(leaving.map(({ metadata }) => metadata?.name ?? ''));
  const mould = new Mould(pool, template, nextSerial(situation, leaving), names);
  for (const slot of plan.slots)
    composeSlot(
      reply,
      situation,
      slot,
      mould.machine(slot, rolloutAfterOf(pool, machines, slot.number, now.getTime())),
    );
  const lost = lostBeside(situation, now);
  if (lost.length > 0) reply.context(CONTEXT.lost, lost);
  if (plan.slots.length !== pool.spec.replicas) reply.notReady();
  report(reply, situation, {
    waiting: undefined,
    notes: plan.notes,
    pending: plan.pending,
    heldVersion: version.held,
    leaving: leaving.length,
    nextSerial: nextSerial(situation, leaving),
    now: now.getTime(),
  });
}

/**
 * Machines that will not become anything while another one fills their slot, such as a successor that the cloud lost,
 * or that did not become a Node in time: the roll-out would wait for them for ever.
 */
function lostBeside({ pool, machines }: Situation, now: Date): readonly string[] {
  const isStuck = (machine: PoolMachine): boolean =>
    !machine.isNode && !isExempt(machine) && judge(machine, pool.spec.health, now.getTime()).state === 'Unhealthy';
  const isUseless = (machine: PoolMachine): boolean => machine.lost || (!pool.spec.paused && isStuck(machine));
  const useless = new Set(machines.filter(isUseless));
  const filled = new Set(machines.filter((machine) => !useless.has(machine)).map(({ slot }) => slot));
  return [...useless].filter(({ slot }) => filled.has(slot)).map(({ name }) => name);
}

/** When time alone brings something about: nothing else will make Crossplane ask. */
function lookAgain(reply: Reply, now: Date, times: readonly (number | undefined)[]): void {
  for (const time of times)
    if (time !== undefined && time > now.getTime())
      reply.ttl(Math.max(TTL.underWay, Math.ceil((time - now.getTime()) / 1000)));
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
