/** How well a machine is, from what is observed of it and the time of the call. */
import { statusIn } from '#lib/api/conditions.ts';
import type { HealthPolicy } from '#lib/api/fields/health.ts';
import { seconds } from '#lib/api/fields/text.ts';
import { at } from '#lib/api/json.ts';
import { ANNOTATION, CONDITION } from '#lib/api/words.ts';
import { CAPACITY_WAIT, givenUpAt, lacksCapacity } from './capacity.ts';
import type { PoolMachine } from './machines.ts';

/** Starting: it is no node yet. Failing: something is wrong, not for long enough. Unhealthy: it is to be replaced. */
export interface Health {
  readonly state: 'Healthy' | 'Starting' | 'Failing' | 'Unhealthy';
  /** What is wrong, as the end of a sentence about the machine. */
  readonly because: string;
  /** When that began, in milliseconds since 1970; undefined: nobody says. */
  readonly since: number | undefined;
  /** When it becomes unhealthy if nothing changes; undefined: never, or it is. */
  readonly due: number | undefined;
}

/** @param now milliseconds since 1970 */
export function judge(machine: PoolMachine, policy: HealthPolicy, now: number): Health {
  if (machine.lost) return unhealthy('is lost', sinceWhen(machine, CONDITION.nodeHealthy, 'False'));
  const own = judgeOwn(machine, policy, now);
  // One that is well is replaced as a roll-out replaces it, once its successor serves.
  if (own.state === 'Healthy' || !(ANNOTATION.remediateMachine in machine.annotations)) return own;
  return unhealthy(`has annotation ${ANNOTATION.remediateMachine}`, undefined);
}

function judgeOwn(machine: PoolMachine, policy: HealthPolicy, now: number): Health {
  // Its order has a time limit of its own, and its node is expected to be away.
  if (machine.begun) return { state: 'Healthy', because: '', since: undefined, due: undefined };
  return machine.isNode ? judgeNode(machine, policy, now) : judgeStart(machine, policy, now);
}

/** Its time to become a node begins when the cloud made it. */
function judgeStart(machine: PoolMachine, { nodeStartupTimeout }: HealthPolicy, now: number): Health {
  const { createdAt } = machine;
  const lack = judgeCapacity(machine, now);
  if (lack !== undefined) return lack;
  const starting: Health = { state: 'Starting', because: 'is not a Node yet', since: createdAt, due: undefined };
  const timeout = seconds(nodeStartupTimeout) * 1000;
  if (timeout === 0 || createdAt === undefined) return starting;
  const due = Math.max(createdAt, sinceWhen(machine, CONDITION.infrastructureReady, 'True') ?? createdAt) + timeout;
  return due > now ? { ...starting, due } : unhealthy(`did not become a Node within ${nodeStartupTimeout}`, createdAt);
}

/** The cloud never made it: there is nothing that time could make a node of. Undefined: that is not the matter. */
function judgeCapacity(machine: PoolMachine, now: number): Health | undefined {
  if (!lacksCapacity(machine)) return undefined;
  const because = `is not created: ${machine.failureDomain ?? 'its failure domain'} has no capacity for it`;
  const due = givenUpAt(machine);
  const since = due === undefined ? undefined : due - CAPACITY_WAIT;
  return due === undefined || due > now ? { state: 'Starting', because, since, due } : unhealthy(because, since);
}

function judgeNode(machine: PoolMachine, { unhealthyConditions }: HealthPolicy, now: number): Health {
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
 * What the Node reports about itself. A machine that does not hand it on tells by NodeHealthy whether its Node is ready;
 * there Unknown means that the workload cluster was not asked, which is no fault of the Node.
 */
function nodeConditionOf({ object }: PoolMachine, type: string): ReturnType<typeof statusIn> {
  const own = at(object, 'status', 'nodeConditions');
  if (Array.isArray(own)) return statusIn(own, type);
  if (type !== 'Ready') return undefined;
  const told = statusIn(at(object, 'status', 'conditions'), CONDITION.nodeHealthy);
  return told?.status === 'False' ? told : undefined;
}

/** Since when the machine's condition has that status; undefined when it has another, or nobody says. */
function sinceWhen({ object }: PoolMachine, type: string, status: 'True' | 'False'): number | undefined {
  const condition = statusIn(at(object, 'status', 'conditions'), type);
  return condition?.status === status ? condition.since : undefined;
}
