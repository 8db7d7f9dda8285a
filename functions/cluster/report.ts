/** The Cluster's conditions and events. Conditions tell the state; an event is sent when it changes, never twice. */
import { conditionOf } from '#lib/api/conditions.ts';
import { runsEtcd } from '#lib/api/etcd.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { CONTROL_PLANE, type ControlPlaneStatus } from './control-plane.ts';
import type { Situation } from './situation.ts';

export interface Outcome {
  /** What infrastructure waits for; undefined when all of it is ready now. */
  readonly waiting: string | undefined;
  /** Whether machines can be made: true for ever once it was. */
  readonly ready: boolean;
  readonly controlPlane: ControlPlaneStatus;
  /** Things to know though nothing is wrong. */
  readonly notes: readonly string[];
}

export function report(reply: Reply, situation: Situation, outcome: Outcome): void {
  reportInfrastructure(reply, situation, outcome);
  reportInitialized(reply, situation, outcome);
  reportVersion(reply, situation);
  const problem = controlPlaneProblem(situation, outcome);
  if (problem === undefined) reply.condition(CONDITION.controlPlaneAvailable, true, 'Available');
  else reply.condition(CONDITION.controlPlaneAvailable, false, 'NotAvailable', problem);
  const problems = [outcome.waiting, problem].filter((text) => text !== undefined);
  if (problems.length === 0) reply.condition(CONDITION.available, true, 'Available');
  else reply.condition(CONDITION.available, false, 'NotAvailable', problems.join('; '));
}

function reportInfrastructure(reply: Reply, situation: Situation, { waiting, ready, notes }: Outcome): void {
  const text = [waiting, ...notes].filter((part) => part !== undefined).join('; ');
  const message = text === '' ? undefined : text;
  if (waiting === undefined) reply.condition(CONDITION.infrastructureReady, true, 'Ready', message);
  else reply.condition(CONDITION.infrastructureReady, false, ready ? 'NotReady' : 'Provisioning', message);

  const before = conditionOf(situation.composite, CONDITION.infrastructureReady)?.message ?? '';
  for (const note of notes) if (!before.includes(note)) reply.event('Warning', 'InfrastructureNote', note);
  if (ready && situation.previous.infrastructure?.ready !== true)
    reply.event('Normal', 'InfrastructureReady', 'machines can be made');
}

function reportInitialized(reply: Reply, { previous }: Situation, { ready, controlPlane }: Outcome): void {
  if (controlPlane.initialized) {
    reply.condition(CONDITION.controlPlaneInitialized, true, 'Initialized');
    if (previous.controlPlane?.initialized !== true)
      reply.event('Normal', 'ControlPlaneInitialized', 'the first control-plane machine became a node');
    return;
  }
  const [reason, message] = ready
    ? ['WaitingForMachine', 'waiting for the first control-plane machine to become a node']
    : ['WaitingForInfrastructure', 'waiting for infrastructure'];
  reply.condition(CONDITION.controlPlaneInitialized, false, reason, message);
}

/** The control-plane pool tells why it keeps the version it has; whoever edits the Cluster looks here. */
function reportVersion(reply: Reply, { composite, observed }: Situation): void {
  const type = CONDITION.versionAccepted;
  const told = conditionOf(observed.get(CONTROL_PLANE), type);
  const before = conditionOf(composite, type);
  if (told?.status !== 'False') {
    if (before !== undefined) reply.condition(type, true, 'Accepted');
    return;
  }
  const { reason, message } = told;
  reply.condition(type, false, reason, message);
  if (before?.status !== 'False' || before.message !== message) reply.event('Warning', reason, message ?? reason);
}

/** The API stays up as long as etcd has a majority; with etcd elsewhere, as long as one machine serves it. */
function controlPlaneProblem({ cluster, previous }: Situation, { controlPlane }: Outcome): string | undefined {
  if (!controlPlane.initialized) return 'waiting for the control plane to be initialized';
  const { replicas } = cluster.spec.controlPlane;
  const needed = runsEtcd(cluster.spec.bootstrap, previous.certificates) ? Math.floor(replicas / 2) + 1 : 1;
  const { readyReplicas } = controlPlane;
  if (readyReplicas >= needed) return undefined;
  return `${readyReplicas} of ${replicas} control-plane machines are ready; needed: ${needed}`;
}
