/** The health of a machine, from what is observed and the time of the call. */
import { conditionOf, statusIn, transitionOf } from '#lib/api/conditions.ts';
import type { HealthPolicy } from '#lib/api/fields/health.ts';
import { seconds } from '#lib/api/fields/text.ts';
import { at } from '#lib/api/json.ts';
import { ANNOTATION, CONDITION } from '#lib/api/words.ts';
import { CAPACITY_WAIT, givenUpAt, lacksCapacity } from './capacity.ts';
import type { PoolMachine } from './machines.ts';

/** Starting: not a node yet. Failing: something is wrong, but not for long enough. Unhealthy: to be replaced. */
export interface Health {
  readonly state: 'Healthy' | 'Starting' | 'Failing' | 'Unhealthy';
  /** What is wrong, as the end of a sentence about the machine. */
  readonly because: string;
  /** When that began, in milliseconds since 1970; undefined: not known. */
  readonly since: number | undefined;
  /** When it becomes unhealthy if nothing changes; undefined: never, or it already is. */
  readonly due: number | undefined;
}

/** @param now milliseconds since 1970 */
export function judge(machine: PoolMachine, policy: HealthPolicy, now: number): Health {
  if (machine.lost)
    return unhealthy(
      machine.takenBack ? 'is a spot machine that is gone' : 'is lost',
      sinceWhen(machine, CONDITION.nodeHealthy, 'False'),
    );
  const own = judgeOwn(machine, policy, now);
  // A healthy machine is replaced like in a roll-out, once its replacement is ready.
  if (own.state === 'Healthy' || !(ANNOTATION.remediateMachine in machine.annotations)) return own;
  return unhealthy(`has annotation ${ANNOTATION.remediateMachine}`, undefined);
}

function judgeOwn(machine: PoolMachine, policy: HealthPolicy, now: number): Health {
  // Its update has its own timeout, and its node is expected to be unavailable.
  if (machine.begun) return { state: 'Healthy', because: '', since: undefined, due: undefined };
  return machine.isNode ? judgeNode(machine, policy, now) : judgeStart(machine, policy, now);
}

/** The node startup timeout begins when the cloud created it. */
function judgeStart(machine: PoolMachine, { nodeStartupTimeout }: HealthPolicy, now: number): Health {
  const { createdAt } = machine;
  if (machine.refused) return { state: 'Starting', because: 'is refused', since: createdAt, due: undefined };
  const lack = judgeCapacity(machine, now);
  if (lack !== undefined) return lack;
  const starting: Health = { state: 'Starting', because: 'is not a Node yet', since: createdAt, due: undefined };
  const timeout = seconds(nodeStartupTimeout) * 1000;
  if (timeout === 0 || createdAt === undefined) return starting;
  const due = Math.max(createdAt, sinceWhen(machine, CONDITION.infrastructureReady, 'True') ?? createdAt) + timeout;
  if (due > now) return { ...starting, due };
  return unhealthy(`did not become a Node within ${nodeStartupTimeout}${whyNoNode(machine)}`, createdAt);
}

/** As the machine says, which is gone when somebody asks. */
function whyNoNode({ object }: PoolMachine): string {
  const { reason, message } = conditionOf(object, CONDITION.nodeHealthy) ?? {};
  const isMissing = reason === 'WaitingForNode' || reason === 'NodeGone';
  return isMissing && message !== undefined ? ` (${message})` : '';
}

/** The cloud never created it, so waiting does not help. Undefined: that is not the problem. */
function judgeCapacity(machine: PoolMachine, now: number): Health | undefined {
  if (!lacksCapacity(machine)) return undefined;
  const because = `found no capacity in ${machine.failureDomain ?? 'its failure domain'}`;
  const due = givenUpAt(machine);
  const since = due === undefined ? undefined : due - CAPACITY_WAIT;
  return due === undefined || due > now ? { state: 'Starting', because, since, due } : unhealthy(because, since);
}

/** Undefined: its Node is there. */
function judgeGone(machine: PoolMachine, { nodeStartupTimeout }: HealthPolicy, now: number): Health | undefined {
  const { object } = machine;
  const isGone = conditionOf(object, CONDITION.nodeHealthy)?.reason === 'NodeGone';
  const since = isGone ? transitionOf(object, CONDITION.nodeHealthy) : undefined;
  const timeout = seconds(nodeStartupTimeout) * 1000;
  if (since === undefined || timeout === 0) return undefined;
  const because = `has had no Node for ${nodeStartupTimeout}${whyNoNode(machine)}`;
  if (since + timeout <= now) return unhealthy(because, since);
  return { state: 'Failing', because: 'has no Node any more', since, due: since + timeout };
}

function judgeNode(machine: PoolMachine, policy: HealthPolicy, now: number): Health {
  const gone = judgeGone(machine, policy, now);
  if (gone !== undefined) return gone;
  const { unhealthyConditions } = policy;
  const found = unhealthyConditions.flatMap(({ type, status, timeout }) => {
    const condition = nodeConditionOf(machine, type);
    if (condition?.status !== status) return [];
    const { since } = condition;
    const due = since === undefined ? undefined : since + seconds(timeout) * 1000;
    return [{ because: `has Node condition ${type}=${status} for ${timeout} or longer`, since, due }];
  });
  const [first] = found.toSorted((a, b) => (a.due ?? Infinity) - (b.due ?? Infinity));
  if (first === undefined) return { state: 'Healthy', because: '', since: undefined, due: undefined };
  return first.due === undefined || first.due > now
    ? { ...first, state: 'Failing' }
    : unhealthy(first.because, first.since);
}

function unhealthy(because: string, since: number | undefined): Health {
  return { state: 'Unhealthy', because, since, due: undefined };
}

/**
 * The conditions of the Node. A Machine without them only has NodeHealthy; Unknown there means that the workload
 * cluster could not be reached, which is no problem of the Node.
 */
function nodeConditionOf({ object }: PoolMachine, type: string): ReturnType<typeof statusIn> {
  const own = at(object, 'status', 'nodeConditions');
  if (Array.isArray(own)) return statusIn(own, type);
  if (type !== 'Ready') return undefined;
  const nodeHealthy = statusIn(at(object, 'status', 'conditions'), CONDITION.nodeHealthy);
  return nodeHealthy?.status === 'False' ? nodeHealthy : undefined;
}

/**
 * Since when the condition of the machine has this status; undefined if it has another one, or if the time is not
 * known.
 */
function sinceWhen({ object }: PoolMachine, type: string, status: 'True' | 'False'): number | undefined {
  const condition = statusIn(at(object, 'status', 'conditions'), type);
  return condition?.status === status ? condition.since : undefined;
}
