/** What a pool says of itself: counters, phase, conditions, and an event when one of them changes. */
import { compare, valid } from 'semver';
import { conditionOf, whyNotReady } from '#lib/api/conditions.ts';
import { CONDITION, LABEL } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { PoolMachine } from './machines.ts';
import type { Note } from './plan.ts';
import type { Situation } from './situation.ts';

export interface Outcome {
  /** What the whole pool waits for before it can make machines. */
  readonly waiting: string | undefined;
  readonly notes: readonly Note[];
  /** Machines on their way out. */
  readonly leaving: number;
  readonly nextSerial: number;
}

export function report(reply: Reply, situation: Situation, outcome: Outcome): void {
  const { pool, machines, previous } = situation;
  const ready = machines.filter((machine) => machine.ready);
  const version = oldestVersion(machines) ?? previous.version;
  const initialized =
    previous.initialized || (pool.spec.role === 'control-plane' && machines.some(({ isNode }) => isNode));
  reply.status({
    replicas: machines.length + outcome.leaving,
    readyReplicas: ready.length,
    availableReplicas: ready.length,
    // Only the in-place-update step knows; it writes this after us.
    upToDateReplicas: previous.upToDateReplicas,
    selector: `${LABEL.nodePool}=${pool.metadata.name}`,
    initialized,
    nextSerial: outcome.nextSerial,
    phase: phaseOf(situation, outcome),
    ...(version === undefined ? {} : { version }),
  });
  if (initialized && !previous.initialized && pool.spec.role === 'control-plane')
    reply.event('Normal', 'ControlPlaneInitialized', 'the first control-plane machine became a node');
  reportScaling(reply, situation, outcome.notes);
  reportMachines(reply, situation, outcome.waiting);
}

function phaseOf({ pool, machines }: Situation, { waiting, notes }: Outcome): string {
  if (waiting !== undefined) return 'Waiting';
  if (pool.spec.paused) return 'Paused';
  const kinds = new Set(notes.map(({ kind }) => kind));
  if (kinds.has('ScalingDown')) return 'ScalingDown';
  if (kinds.has('ScalingUp') && machines.some(({ ready }) => ready)) return 'ScalingUp';
  return machines.every(({ ready }) => ready) && !kinds.has('ScalingUp') ? 'Running' : 'Provisioning';
}

function reportScaling(reply: Reply, { composite }: Situation, notes: readonly Note[]): void {
  const types = {
    ScalingUp: CONDITION.scalingUp,
    ScalingDown: CONDITION.scalingDown,
    Remediating: CONDITION.remediating,
  } as const;
  for (const [kind, type] of Object.entries(types)) {
    const messages = notes.filter((note) => note.kind === kind).map(({ message }) => message);
    if (messages.length === 0) reply.condition(type, false, `Not${kind}`);
    else reply.condition(type, true, kind, bounded(messages, '; '));
    const was = conditionOf(composite, type)?.status === 'True';
    if (messages.length > 0 && !was) reply.event('Normal', kind, bounded(messages, '; '));
  }
}

function reportMachines(reply: Reply, { pool, machines }: Situation, waiting: string | undefined): void {
  const problems = machines
    .filter(({ ready }) => !ready)
    .map(({ name, object }) => `Machine ${name}: ${whyNotReady(object) ?? 'not ready'}`);
  const ready = machines.length - problems.length;
  if (waiting !== undefined) {
    reply.condition(CONDITION.machinesReady, false, 'Waiting', waiting);
    reply.condition(CONDITION.available, false, 'Waiting', waiting);
    return;
  }
  if (problems.length === 0) reply.condition(CONDITION.machinesReady, true, 'Ready');
  else reply.condition(CONDITION.machinesReady, false, 'NotReady', bounded(problems.toSorted(), '; '));
  if (ready >= pool.spec.replicas) reply.condition(CONDITION.available, true, 'Available');
  else
    reply.condition(CONDITION.available, false, 'NotAvailable', `${ready} of ${pool.spec.replicas} machines are ready`);
}

/** At most three, "and N more" after them. */
function bounded(messages: readonly string[], separator: string): string {
  const shown = messages.slice(0, 3).join(separator);
  const more = messages.length - 3;
  return more > 0 ? `${shown}${separator}and ${more} more` : shown;
}

function oldestVersion(machines: readonly PoolMachine[]): string | undefined {
  // A kubelet built from a branch may report what is no version.
  return machines.flatMap(({ version }) => (valid(version) === null ? [] : [version ?? ''])).toSorted(compare)[0];
}
