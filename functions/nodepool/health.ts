/** How well a machine is, from what is observed of it and the time of the call. */
import type { HealthPolicy } from '#lib/api/fields/health.ts';
import { seconds, timeOf } from '#lib/api/fields/text.ts';
import { at, stringAt } from '#lib/api/json.ts';
import { ANNOTATION, CONDITION } from '#lib/api/words.ts';
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
  if (machine.lost) return unhealthy('is lost', transitionOf(machine, CONDITION.nodeHealthy, 'False'));
  if (ANNOTATION.remediateMachine in machine.annotations)
    return unhealthy(`carries ${ANNOTATION.remediateMachine}`, undefined);
  // Its order has a time limit of its own, and its node is expected to be away.
  if (machine.begun) return { state: 'Healthy', because: '', since: undefined, due: undefined };
  return machine.isNode ? judgeNode(machine, policy, now) : judgeStart(machine, policy, now);
}

/** Its time to become a node begins when the cloud made it. */
function judgeStart(machine: PoolMachine, { nodeStartupTimeout }: HealthPolicy, now: number): Health {
  const { createdAt } = machine;
  const starting: Health = { state: 'Starting', because: 'is no Node yet', since: createdAt, due: undefined };
  const timeout = seconds(nodeStartupTimeout) * 1000;
  if (timeout === 0 || createdAt === undefined) return starting;
  const due = Math.max(createdAt, transitionOf(machine, CONDITION.infrastructureReady, 'True') ?? createdAt) + timeout;
  return due > now ? { ...starting, due } : unhealthy(`did not become a Node within ${nodeStartupTimeout}`, createdAt);
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

interface NodeCondition {
  readonly status: string | undefined;
  readonly since: number | undefined;
}

/**
 * What the Node says of itself. A machine that does not hand it on tells by NodeHealthy whether its Node is ready;
 * there Unknown means that the workload cluster was not asked, which is no fault of the Node.
 */
function nodeConditionOf(machine: PoolMachine, type: string): NodeCondition | undefined {
  const own = at(machine.object, 'status', 'nodeConditions');
  if (Array.isArray(own)) return find(own, type);
  if (type !== 'Ready') return undefined;
  const told = find(at(machine.object, 'status', 'conditions'), CONDITION.nodeHealthy);
  return told?.status === 'False' ? told : undefined;
}

function find(list: unknown, type: string): NodeCondition | undefined {
  const found: unknown = Array.isArray(list) ? list.find((item) => stringAt(item, 'type') === type) : undefined;
  if (found === undefined) return undefined;
  return { status: stringAt(found, 'status'), since: timeOf(stringAt(found, 'lastTransitionTime')) };
}

/** Since when the machine's condition has that status; undefined when it has another, or nobody says. */
function transitionOf({ object }: PoolMachine, type: string, status: 'True' | 'False'): number | undefined {
  const condition = find(at(object, 'status', 'conditions'), type);
  return condition?.status === status ? condition.since : undefined;
}
