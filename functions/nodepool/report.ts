/** Status, conditions and events of a pool. */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { compare, valid } from 'semver';
import { conditionOf } from '#lib/api/conditions.ts';
import { atMostThree, maySay } from '#lib/api/shortened.ts';
import { CONDITION, LABEL, TTL } from '#lib/api/words.ts';
import type { PendingRemediation } from '#lib/api/kinds/node-pool.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { nextSerial } from './leaving.ts';
import type { PoolMachine } from './machines.ts';
import type { Note } from './slot.ts';
import type { PoolSituation } from './situation.ts';
import { problemsOf } from './problems.ts';
import { type HeldVersion, PASSING } from './version.ts';

export interface PoolFindings {
  /** What the whole pool waits for before it can create machines. */
  readonly waiting: string | undefined;
  readonly notes: readonly Note[];
  /** Machines that were given up and have no replacement yet. */
  readonly pending: readonly PendingRemediation[];
  /** Why the pool keeps the version it has. */
  readonly heldVersion: HeldVersion | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function report(reply: Reply, situation: PoolSituation, outcome: PoolFindings): void {
  const { pool, machines, others, previous } = situation;
  const ready = machines.filter((machine) => machine.ready);
  const available = machines.filter(({ availableAt = Infinity }) => availableAt <= outcome.now);
  const serving = pool.spec.role === 'control-plane' ? others.leaving : [];
  const version = oldestVersion(machines, serving) ?? previous.version;
  // Workers wait until the last old API server is gone.
  if (version !== oldestVersion(machines, [])) reply.ttl(TTL.underWay);
  const initialized =
    previous.initialized || (pool.spec.role === 'control-plane' && machines.some(({ isNode }) => isNode));
  reply.status({
    replicas: machines.length + others.leaving.length,
    readyReplicas: ready.length,
    availableReplicas: available.length,
    // Only the in-place-update step knows this; it writes it later.
    upToDateReplicas: previous.upToDateReplicas,
    ...(at(situation.composite, 'spec', 'replicas') === undefined ? { keptReplicas: pool.spec.replicas } : {}),
    selector: `${LABEL.nodePool}=${pool.metadata.name}`,
    initialized,
    nextSerial: nextSerial(machines, others.leaving, previous),
    phase: phaseOf(situation, outcome),
    ...(version === undefined ? {} : { version }),
    ...(others.released.length === 0 ? {} : { released: others.released.toSorted() }),
    ...(outcome.pending.length === 0 ? {} : { pendingRemediations: outcome.pending.map((one) => ({ ...one })) }),
  });
  if (initialized && !previous.initialized && pool.spec.role === 'control-plane')
    reply.event('Normal', 'ControlPlaneInitialized', 'the first control-plane machine became a node');
  reportVersion(reply, situation, outcome.heldVersion);
  reportScaling(reply, situation, outcome.notes);
  reportMachines(reply, situation, outcome.waiting, available.length);
}

function phaseOf({ pool, machines }: PoolSituation, { waiting, notes }: PoolFindings): string {
  if (waiting !== undefined) return 'Waiting';
  if (pool.spec.paused) return 'Paused';
  const kinds = new Set(notes.filter(({ heldBy }) => heldBy === undefined).map(({ kind }) => kind));
  if (kinds.has('ScalingDown')) return 'ScalingDown';
  if (kinds.has('ScalingUp') && machines.some(({ ready }) => ready)) return 'ScalingUp';
  return machines.every(({ ready }) => ready) && !kinds.has('ScalingUp') ? 'Running' : 'Provisioning';
}

/** Only for a pool whose version was held back now or earlier. */
function reportVersion(reply: Reply, { composite }: PoolSituation, held: HeldVersion | undefined): void {
  const type = CONDITION.versionAccepted;
  const before = conditionOf(composite, type);
  if (held === undefined) {
    if (before !== undefined) reply.condition(type, true, 'Accepted');
    return;
  }
  const { reason, message } = held;
  reply.condition(type, false, reason, message);
  const severity = PASSING.has(reason) ? 'Normal' : 'Warning';
  if (before?.status !== 'False' || before.message !== message) reply.event(severity, reason, message);
}

function reportScaling(reply: Reply, { composite }: PoolSituation, notes: readonly Note[]): void {
  const types = {
    ScalingUp: CONDITION.scalingUp,
    ScalingDown: CONDITION.scalingDown,
    Remediating: CONDITION.remediating,
  } as const;
  for (const [kind, type] of Object.entries(types)) {
    const [held, going] = partition(
      notes.filter((note) => note.kind === kind),
      ({ heldBy }) => heldBy !== undefined,
    );
    const before = conditionOf(composite, type);
    const message = atMostThree([...going, ...held].map((note) => note.message));
    const reason = going.length > 0 ? kind : (held[0]?.heldBy ?? `Not${kind}`);
    reply.condition(type, going.length > 0, reason, message === '' ? undefined : message);
    const news = going.filter(({ announce, message: text }) => announce === true && !maySay(before?.message, text));
    if (news.length > 0) reply.event('Normal', kind, atMostThree(news.map((note) => note.message)));
    else if (going.length > 0 && before?.status !== 'True') reply.event('Normal', kind, message);
    if (going.length === 0 && held.length > 0 && before?.reason !== reason) reply.event('Warning', reason, message);
    if (going.length > 0) reportHeldBeside(reply, held, before?.message);
  }
}

/** What is held back while something else goes on: the condition has the reason of what goes on. */
function reportHeldBeside(reply: Reply, held: readonly Note[], before: string | undefined): void {
  const news = held.filter(
    ({ heldBy, message, constant = message }) => heldBy !== 'RemediationDeferred' && !maySay(before, constant),
  );
  for (const [heldBy = '', notes] of Map.groupBy(news, (note) => note.heldBy))
    reply.event('Warning', heldBy, atMostThree(notes.map(({ message }) => message)));
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function reportMachines(
  reply: Reply,
  { pool, machines }: PoolSituation,
  waiting: string | undefined,
  available: number,
): void {
  const missing = pool.spec.replicas - machines.length;
  const problems = [...problemsOf(machines), ...(missing > 0 ? [`${missing} still to be created`] : [])];
  if (waiting !== undefined) {
    reply.condition(CONDITION.machinesReady, false, 'Waiting', waiting);
    reply.condition(CONDITION.available, false, 'Waiting', waiting);
    return;
  }
  if (problems.length === 0) reply.condition(CONDITION.machinesReady, true, 'Ready');
  else reply.condition(CONDITION.machinesReady, false, 'NotReady', atMostThree(problems));
  const { replicas, update } = pool.spec;
  if (available >= replicas) return void reply.condition(CONDITION.available, true, 'Available');
  const since = update.minReadySeconds === 0 ? '' : ` for ${update.minReadySeconds}s`;
  const message = `${available} of ${replicas} machines are ready${since}`;
  reply.condition(CONDITION.available, false, 'NotAvailable', message);
}

/** An API server that is still being drained serves: no kubelet may be newer than it. */
function oldestVersion(machines: readonly PoolMachine[], leaving: readonly KubeObject[]): string | undefined {
  // A kubelet built from a branch may report an invalid version.
  const ofLeaving = leaving.flatMap(({ status }) => stringAt(status, 'version') ?? []);
  const versions = new Set([...machines.flatMap(({ version }) => version ?? []), ...ofLeaving]);
  return [...versions].filter((version) => valid(version) !== null).toSorted(compare)[0];
}
