/** Every state that waits says what for: a condition with a message, and an event. */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { CONDITION } from '#lib/api/words.ts';
import { parseAs } from '#lib/api/parse.ts';
import type { Engine } from '#simulator/engine.ts';
import { controlPlanePool } from '../../functions/cluster/control-plane.ts';
import { type Goal, wayOf } from '../sim/ways.ts';
import { CLUSTER, CONTROL_PLANE, POOL } from './life.ts';
import { machinesOf } from './scene.ts';
import type { Watch } from './watch.ts';

/** What ends by itself, and so is not true at rest. */
const PASSES = /waits until one of \d+ machines is deleted/;

/** Of what goes on, not of what stops it. */
const PROGRESS = /^(RollingOut|RolledOut|Scal|SelectComposition|ComposeResources|Resume)/;

/** Names of pools whose machines differ from the claims, or that wait for a version and have none. */
export function waitingPools(engine: Engine): readonly string[] {
  return [CONTROL_PLANE, POOL].flatMap((ref) => {
    const waits = conditionOf(engine.get(ref) ?? NOTHING, CONDITION.versionAccepted)?.status === 'False';
    return waits || differenceOf(engine, ref.name) !== undefined ? [ref.name] : [];
  });
}

/**
 * @param since  second of the first act of the round
 * @param before  pools that waited before it: they have told it
 */
export function neverSilent(
  engine: Engine,
  { events }: Watch,
  { since, before }: { readonly since: number; readonly before: readonly string[] },
): readonly string[] {
  return [CONTROL_PLANE, POOL].flatMap((ref) => {
    const difference = differenceOf(engine, ref.name);
    if (difference === undefined) return [];
    const owners = [ref, CLUSTER];
    const said = owners.flatMap((one) => saidBy(engine.get(one))).filter((line) => !PASSES.test(line));
    const isTold = events.some(
      (event) =>
        event.last >= since &&
        owners.some(({ kind, name }) => event.ref.kind === kind && event.ref.name === name) &&
        (event.severity === 'Warning' || !PROGRESS.test(event.reason)),
    );
    return [
      ...(said.length === 0 ? [`${ref.name} is silent in its conditions: ${difference}`] : []),
      ...(isTold || before.includes(ref.name) ? [] : [`${ref.name} has no event: ${difference}`]),
    ];
  });
}

/** How machines differ from the claims at rest; undefined: not at all. */
function differenceOf(engine: Engine, pool: string): string | undefined {
  const object = engine.get({ ...POOL, name: pool });
  if (object === undefined || object.metadata?.deletionTimestamp !== undefined) return undefined;
  const machines = machinesOf(engine, pool);
  const replicas = at(goalOf(engine, pool).pool, 'spec', 'replicas');
  if (machines.length !== replicas)
    return `there are ${machines.length} machines, and ${JSON.stringify(replicas)} are claimed`;
  const [other] = differentIn(engine, pool);
  return other && `${other.metadata?.name} is not as claimed`;
}

/** Machines that are not as claimed. */
export function differentIn(engine: Engine, pool: string): readonly KubeObject[] {
  const goal = goalOf(engine, pool);
  const made = (machine: KubeObject): number => Date.parse(stringAt(machine, 'metadata', 'creationTimestamp') ?? '');
  return machinesOf(engine, pool).filter((machine) => wayOf(machine, goal, made(machine)) !== 'Fits');
}

/** What the claims, as the API server stored them, ask of the machines of a pool. */
function goalOf(engine: Engine, pool: string): Goal {
  const cluster = parseAs(Cluster, engine.get(CLUSTER), 'Cluster');
  const wanted =
    pool === CONTROL_PLANE.name
      ? controlPlanePool({ cluster, composite: engine.get(CLUSTER) ?? NOTHING }, [])
      : (engine.get(POOL) ?? NOTHING);
  const sysctls = { ...cluster.spec.provisioning.sysctls, ...asObject(at(wanted, 'spec', 'provisioning', 'sysctls')) };
  return {
    pool: { ...wanted, spec: { ...wanted.spec, provisioning: { sysctls } } },
    version: stringAt(wanted, 'spec', 'version') ?? cluster.spec.version,
    resizes: true,
    now: engine.now.getTime(),
  };
}

const NOTHING: KubeObject = { apiVersion: '', kind: '' };

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Of conditions that are not True, those that say why. */
export function saidBy(object: KubeObject | undefined): readonly string[] {
  const conditions = at(object?.status, 'conditions');
  return (Array.isArray(conditions) ? conditions : []).flatMap((one: unknown) => {
    const message = stringAt(one, 'message');
    const isSaid = stringAt(one, 'status') !== 'True' && stringAt(one, 'reason') !== 'FatalError';
    return isSaid && message !== undefined && message !== '' ? [`${stringAt(one, 'type')}: ${message}`] : [];
  });
}
