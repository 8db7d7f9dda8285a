/** Turns the plan of a pool into desired resources, conditions and events, once everything it needs exists. */
import type { Group } from '#lib/api/contracts/group.ts';
import { runsEtcd } from '#lib/api/etcd.ts';
import { timeOf } from '#lib/api/fields/text.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import { CONTEXT, LABEL, TTL } from '#lib/api/words.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { bootstrapperTraits } from '../bootstrap/traits.ts';
import { MARKS } from './accepted.ts';
import { groupOf } from './group.ts';
import { nextSerial } from './leaving.ts';
import type { PoolMachine } from './machines.ts';
import { isAsked, outdatedBy } from './outdated.ts';
import { domainsOf } from './placement.ts';
import { planSlots } from './plan.ts';
import { MachineRenderer } from './render.ts';
import { isSettled } from './rest.ts';
import { report } from './report.ts';
import { rolloutAfterOf } from './restart.ts';
import type { PoolSituation } from './situation.ts';
import type { ReadPool } from './size.ts';
import type { Plan, PlanInput, Slot } from './slot.ts';
import type { Target, Waits } from './target.ts';
import type { Template } from './template.ts';
import { noMachine } from './tolerated.ts';
import { type HeldVersion, PASSING } from './version.ts';

/** Input besides the situation. */
export type PlanContext = Omit<Target, 'situation' | 'record'> & {
  readonly now: Date;
  /** What is outside the limits of the platform and stays. */
  readonly outside: readonly string[];
};

/** @returns the plan, and whether nothing is under way */
export function compose(
  reply: Reply,
  situation: PoolSituation,
  context: PlanContext,
): { readonly plan: Plan; readonly settled: boolean } {
  const { pool, machines, others, previous } = situation;
  const { template, version, now, outside, waits } = context;
  const input = planInput(situation, context);
  const plan = planSlots(input);
  requeueBy(reply, now, [
    plan.nextCheck,
    timeOf(pool.spec.update.rolloutAfter),
    ...machines.map((one) => one.availableAt),
  ]);
  const renderer = new MachineRenderer(pool, template, nextSerial(machines, others.leaving, previous), others.taken);
  const { changes, ...freeze } = freezeOf(pool, context);
  for (const slot of plan.slots)
    composeSlot(
      reply,
      situation,
      slot,
      renderer.machine(slot, rolloutAfterOf(pool, machines, slot.number, now.getTime())),
      changes,
    );
  for (const [key, object] of others.unobserved)
    reply.compose(
      key,
      asDesired(object),
      machines.some((one) => one.key === key && one.ready),
    );
  if (others.unobserved.size > 0) reply.ttl(TTL.underWay);
  keepReleased(reply, situation, plan.releases);
  const quorum = pool.spec.role === 'control-plane' && input.runsEtcd;
  reply.context(CONTEXT.leaving, situation.others.leaving.length);
  const held = freeze.waits && heldOf(input, context, freeze.waits, changes === 'none' ? [] : MARKS);
  reply.context(CONTEXT.group, groupOf(situation, { ...plan, quorum, held }));
  if (held !== undefined && held.differing.length > 0 && !ENDS_BY_ITSELF.has(held.reason)) reply.notReady();
  if (plan.slots.length !== pool.spec.replicas) reply.notReady();
  report(reply, situation, {
    waiting: undefined,
    notes: [
      ...plan.notes,
      ...outside.map((message) => ({ kind: 'ScalingUp', message, heldBy: 'OutsideLimits' }) as const),
      ...(waits?.reason === 'NotAccepted'
        ? [{ kind: 'ScalingUp', message: waits.message, heldBy: 'NotAccepted' } as const]
        : []),
    ],
    pending: plan.pending,
    heldVersion: version.held && withRest(version.held, waits),
    now: now.getTime(),
  });
  return { plan, settled: isSettled(plan, input) };
}

/** With what it says of the rest of the edit. */
function withRest(held: HeldVersion, waits: Waits | undefined): HeldVersion {
  return waits?.reason === held.reason ? { ...held, message: waits.message } : held;
}

/** What may change of existing machines, and what they wait for if that is not all. */
function freezeOf(
  { spec }: PoolSituation['pool'],
  { version, refused, waits }: PlanContext,
): { readonly changes: Changes; readonly waits: Waits | undefined } {
  if (spec.paused) return { changes: 'none', waits: { reason: 'Paused', message: PAUSED_ALL } };
  const { noNewMachines } = version;
  if (noNewMachines !== undefined)
    return { changes: 'none', waits: { reason: 'NoNewMachines', message: noNewMachines } };
  if (refused === undefined) return { changes: 'all', waits };
  return { changes: 'marks', waits: { reason: 'NoNewMachines', message: noMachine(refused) } };
}

const PAUSED_ALL = 'the pool is paused; set spec.paused to false to have them changed';

/** Machines that differ from the claim, and what they wait for. */
function heldOf(
  { machines, now }: PlanInput,
  { asked: { pool, template } }: PlanContext,
  { reason, message }: Waits,
  ignored: readonly string[],
): NonNullable<Group['held']> {
  const { zones } = pool.spec.machine;
  const differs = outdatedIn({ pool, template, domains: zones ?? [], now, ignored });
  return { reason, message, differing: machines.filter(differs).map(({ name }) => name) };
}

/** A hold that is no fault of the claim, or that its author asked for. */
const ENDS_BY_ITSELF: ReadonlySet<string> = new Set([...PASSING, 'Paused']);

/**
 * Machines that are no longer wanted stay desired here: only the in-place-update step, which knows the whole budget,
 * removes them.
 */
function keepReleased(reply: Reply, { machines }: PoolSituation, releases: Plan['releases']): void {
  const names = new Set(releases.map(({ name }) => name));
  for (const { key, name, object, ready } of machines)
    if (names.has(name)) reply.compose(key, asDesired(object), ready);
}

function planInput(
  { pool, machines, others, owner, previous }: PoolSituation,
  { template, version, cluster, now, refused }: PlanContext,
): PlanInput {
  const infrastructure = cluster.status?.infrastructure;
  const { provider, config } = template.bootstrap;
  const domains = infrastructure === undefined ? [] : domainsOf(pool, infrastructure, owner);
  return {
    pool,
    machines,
    leaving: others.leaving.map(({ metadata }) => Number(metadata?.labels?.[LABEL.slot])).filter(Number.isInteger),
    domains,
    // A second machine is only created after the first one started the cluster: if there are more, the status is wrong,
    // because it was lost.
    initialized: previous.initialized || cluster.status?.controlPlane?.initialized === true || machines.length > 1,
    runsEtcd: runsEtcd(config, bootstrapperTraits(provider).externalEtcd, cluster.status?.certificates),
    pending: previous.pendingRemediations,
    noNewMachines: version.noNewMachines ?? (refused === undefined ? undefined : noMachine(refused)),
    isOutdated: outdatedIn({ pool, template, domains, now: now.getTime() }),
    now: now.getTime(),
  };
}

function outdatedIn({ pool, template, domains, now, ignored }: Compared): PlanInput['isOutdated'] {
  const isOther = outdatedBy(template, ignored);
  const isMisplaced = ({ failureDomain = '' }: PoolMachine): boolean =>
    pool.spec.machine.zones !== undefined && domains.length > 0 && !domains.includes(failureDomain);
  return (machine) =>
    isAsked(machine) ||
    isOther(machine) ||
    isMisplaced(machine) ||
    rolloutAfterOf(pool, [machine], machine.slot, now) !== machine.rolloutAfter;
}

/** What machines are compared with. */
interface Compared {
  readonly pool: ReadPool;
  readonly template: Template;
  readonly domains: readonly string[];
  readonly now: number;
  /** Fields of a template that do not count. */
  readonly ignored?: readonly string[];
}

/** When time alone changes something, nothing else makes Crossplane call again. */
function requeueBy(reply: Reply, now: Date, times: readonly (number | undefined)[]): void {
  for (const time of times)
    if (time !== undefined && time > now.getTime())
      reply.ttl(Math.max(TTL.underWay, Math.ceil((time - now.getTime()) / 1000)));
}

/** What may change of machines that exist. marks: what provider-node makes of a Node, for which none is replaced. */
type Changes = 'all' | 'marks' | 'none';

/**
 * Machines of a pool that may not change, and a machine that is about to start the cluster, stay exactly as they are.
 */
function composeSlot(
  reply: Reply,
  { machines }: PoolSituation,
  slot: Slot,
  machine: KubeObject,
  changes: Changes,
): void {
  const existing = machines.filter(({ slot: number }) => number === slot.number);
  if (existing.length > 0 && (changes !== 'all' || slot.initialize)) {
    const isMarked = changes === 'marks' && !slot.initialize;
    for (const { key, object, ready } of existing) {
      const kept = asDesired(object);
      reply.compose(key, isMarked ? withMarks(kept, machine) : kept, ready);
    }
    return;
  }
  reply.compose(
    `slot-${slot.number}`,
    machine,
    existing.some(({ ready }) => ready),
  );
}

function withMarks(kept: KubeObject, wanted: KubeObject): KubeObject {
  const marks = MARKS.map((field) => [field, at(wanted.spec, field)] as const);
  return { ...kept, spec: { ...kept.spec, ...Object.fromEntries(marks.filter(([, value]) => value !== undefined)) } };
}
