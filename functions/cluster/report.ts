/** Conditions and events of the Cluster. Conditions describe the state; an event is emitted once when it changes. */
import { conditionOf, whyNotReady } from '#lib/api/conditions.ts';
import type { SlipwayError } from '#lib/api/errors.ts';
import { runsEtcd } from '#lib/api/etcd.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { ManagedControlPlane } from '#lib/cloud/infrastructure.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { bootstrapperTraits } from '../bootstrap/traits.ts';
import { CONTROL_PLANE, type ControlPlaneStatus } from './control-plane.ts';
import { noControlPlane } from './limits.ts';
import type { Situation } from './situation.ts';

export interface ClusterFindings {
  /** What the infrastructure waits for; undefined if all of it is ready now. */
  readonly waiting: string | undefined;
  /** Whether machines can be created: true for ever once it was. */
  readonly ready: boolean;
  readonly controlPlane: ControlPlaneStatus;
  /** The report of a cloud that runs the control plane itself; undefined: machines are the control plane. */
  readonly managed: ManagedControlPlane | undefined;
  /** Why no control plane is created; undefined: one is. */
  readonly withheld?: SlipwayError | undefined;
  /** Notes that are not problems. */
  readonly notes: readonly string[];
}

export function report(reply: Reply, situation: Situation, outcome: ClusterFindings): void {
  reportInfrastructure(reply, situation, outcome);
  reportInitialized(reply, situation, outcome);
  reportVersion(reply, situation);
  const problem = controlPlaneProblem(situation, outcome);
  if (problem === undefined)
    reply.condition(CONDITION.controlPlaneAvailable, true, 'Available', whatMachinesSay(situation));
  else reply.condition(CONDITION.controlPlaneAvailable, false, 'NotAvailable', problem);
  const problems = [outcome.waiting, problem].filter((text) => text !== undefined);
  if (problems.length === 0) reply.condition(CONDITION.available, true, 'Available');
  else reply.condition(CONDITION.available, false, 'NotAvailable', problems.join('; '));
}

/** Of a cluster that stays as it is, because an id that its claim asks for is not known. */
export function reportWaiting(reply: Reply, { previous }: Pick<Situation, 'previous'>, waiting: string): void {
  const reason = previous.infrastructure?.ready === true ? 'NotReady' : 'Provisioning';
  reply.condition(CONDITION.infrastructureReady, false, reason, waiting);
  reply.condition(CONDITION.available, false, 'NotAvailable', waiting);
}

function reportInfrastructure(reply: Reply, situation: Situation, { waiting, ready, notes }: ClusterFindings): void {
  const text = [waiting, ...notes].filter((part) => part !== undefined).join('; ');
  const message = text === '' ? undefined : text;
  if (waiting === undefined) reply.condition(CONDITION.infrastructureReady, true, 'Ready', message);
  else reply.condition(CONDITION.infrastructureReady, false, ready ? 'NotReady' : 'Provisioning', message);

  const before = conditionOf(situation.composite, CONDITION.infrastructureReady)?.message ?? '';
  for (const note of notes) if (!before.includes(note)) reply.event('Warning', 'InfrastructureNote', note);
  if (ready && situation.previous.infrastructure?.ready !== true)
    reply.event('Normal', 'InfrastructureReady', 'machines can be created');
}

function reportInitialized(reply: Reply, { previous }: Situation, outcome: ClusterFindings): void {
  const { ready, controlPlane, managed, withheld } = outcome;
  if (controlPlane.initialized) {
    reply.condition(CONDITION.controlPlaneInitialized, true, 'Initialized');
    if (previous.controlPlane?.initialized !== true)
      reply.event('Normal', 'ControlPlaneInitialized', managed === undefined ? BECAME_NODE : CLOUD_MADE);
    return;
  }
  const [reason, message] =
    withheld === undefined ? waitsFor(ready, managed !== undefined) : ['NotAccepted', noControlPlane(withheld)];
  reply.condition(CONDITION.controlPlaneInitialized, false, reason, message);
}

const BECAME_NODE = 'the first control-plane machine became a node';
const CLOUD_MADE = 'the cloud created the control plane';

function waitsFor(ready: boolean, isManaged: boolean): readonly [reason: string, message: string] {
  if (isManaged) return ['WaitingForCloud', 'waiting for the cloud to create the control plane'];
  return ready
    ? ['WaitingForMachine', 'waiting for the first control-plane machine to become a node']
    : ['WaitingForInfrastructure', 'waiting for infrastructure'];
}

/** Repeats why the control-plane pool keeps its version, because users look at the Cluster. */
function reportVersion(reply: Reply, { composite, observed }: Situation): void {
  const type = CONDITION.versionAccepted;
  const ofPool = conditionOf(observed.get(CONTROL_PLANE), type);
  const before = conditionOf(composite, type);
  if (ofPool?.status !== 'False') {
    if (before !== undefined) reply.condition(type, true, 'Accepted');
    return;
  }
  const { reason, message } = ofPool;
  reply.condition(type, false, reason, message);
  if (before?.status !== 'False' || before.message !== message) reply.event('Warning', reason, message ?? reason);
}

/** The API is available while etcd has a majority; with external etcd, while one machine serves it. */
function controlPlaneProblem(situation: Situation, { controlPlane, managed }: ClusterFindings): string | undefined {
  const { cluster, previous } = situation;
  const why = managed === undefined ? whatMachinesSay(situation) : managed.problem;
  const because = why === undefined ? '' : `: ${why}`;
  if (!controlPlane.initialized) return `waiting for the control plane to be initialized${because}`;
  if (managed !== undefined) return managed.problem;
  const { replicas } = cluster.spec.controlPlane;
  const { provider, config } = cluster.spec.bootstrap;
  const isEtcd = runsEtcd(config, bootstrapperTraits(provider).externalEtcd, previous.certificates);
  const needed = isEtcd ? Math.floor(replicas / 2) + 1 : 1;
  const { readyReplicas } = controlPlane;
  if (readyReplicas >= needed) return undefined;
  return `${readyReplicas} of ${replicas} control-plane machines are ready; needed: ${needed}${because}`;
}

/** Why some control-plane machines are not ready, from the conditions of the pool; undefined if all are. */
function whatMachinesSay({ observed }: Situation): string | undefined {
  const pool = observed.get(CONTROL_PLANE);
  const accepted = conditionOf(pool, CONDITION.claimAccepted);
  if (accepted?.status === 'False') return accepted.message;
  // The other conditions of the pool are then from an earlier call.
  if (conditionOf(pool, 'Synced')?.status === 'False') return whyNotReady(pool);
  const machines = conditionOf(pool, CONDITION.machinesReady);
  return machines?.status === 'False' ? machines.message : undefined;
}
