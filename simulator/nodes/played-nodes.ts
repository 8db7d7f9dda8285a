/**
 * What provider-node finds on simulated Nodes: pods that take a while to end, and updaters that take a while to run.
 * One pod represents all pods of a Node. The effect of a script on a Node is read from the script.
 */
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Pods, Run } from '#lib/node/situation.ts';
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { isDeleting } from '../store/object.ts';
import type { Node, WorkloadCluster } from './workload-cluster.ts';

export interface PlayedNodesParts {
  readonly clock: Scheduler;
  readonly dice: Dice;
  /** True while the machine behind a node runs. */
  readonly isRunning: (machineId: string) => boolean;
  /** Share of updaters that fail on a node. */
  readonly failing: number;
}

interface PlayedRun {
  /** Virtual second. */
  readonly end: number;
  readonly result: Run;
  /** The version of the Node afterwards. */
  readonly version?: string;
}

/** Seconds. */
const DRAIN = [8, 25] as const;
const UPDATER = [15, 40] as const;

export class PlayedNodes {
  readonly #parts: PlayedNodesParts;
  /** Virtual second at which the last pod is gone, by reason of the drain. */
  readonly #drains = new Map<string, number>();
  /** By Node and id of the update. */
  readonly #runs = new Map<string, PlayedRun>();

  constructor(parts: PlayedNodesParts) {
    this.#parts = parts;
  }

  pods(object: KubeObject, node: Node): Pods {
    const nobody: Pods = { items: [], daemonSets: new Set() };
    if (!this.#parts.isRunning(node.machineId)) return nobody;
    const end = this.#drains.get(occasionOf(object, node).join(' '));
    const metadata = { namespace: 'default', name: `everything-on-${node.name}` };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata } as const;
    if (end === undefined) return { ...nobody, items: [pod] };
    if (this.#parts.clock.seconds >= end) return nobody;
    return { ...nobody, items: [{ ...pod, metadata: { ...metadata, deletionTimestamp: this.#parts.clock.stamp } }] };
  }

  evict(object: KubeObject, node: Node): void {
    const { clock, dice } = this.#parts;
    const occasion = occasionOf(object, node);
    this.#drains.set(occasion.join(' '), clock.end(dice.between(...DRAIN, 'drain', ...occasion)));
  }

  start(node: Node, id: string, scripts: readonly (readonly [updater: string, script: string])[]): void {
    const { clock, dice, failing } = this.#parts;
    const each = scripts.map(([name]) => dice.between(...UPDATER, 'updater', node.uid, id, name));
    const failed = scripts.find(([name]) => dice.roll('updater-fails', node.name, id, name) < failing);
    const version = scripts.map(([, script]) => versionIn(script)).findLast((one) => one !== undefined);
    this.#runs.set(`${node.uid} ${id}`, {
      end: clock.end(each.reduce((sum, one) => sum + one, 0)),
      ...(failed === undefined
        ? { result: { state: 'Succeeded' }, ...(version === undefined ? {} : { version }) }
        : { result: { state: 'Failed', updater: failed[0], cause: 'exit code 1' } }),
    });
  }

  /** The run of an update, and its effect on the Node. */
  run(cluster: WorkloadCluster, node: Node, id: string): Run {
    const run = this.#runs.get(`${node.uid} ${id}`);
    if (run === undefined) return { state: 'None' };
    if (this.#parts.clock.seconds < run.end) return { state: 'Running' };
    if (run.version !== undefined) cluster.put({ ...node, version: run.version });
    return run.result;
  }

  /** Virtual second of the next change on the Node that the object waits for; a real provider gets it from a watch. */
  nextChange(object: KubeObject, node: Node): number | undefined {
    const ends = [
      this.#drains.get(occasionOf(object, node).join(' ')),
      isDeleting(object) ? undefined : this.#runs.get(`${node.uid} ${updateOf(object)}`)?.end,
    ];
    const ahead = ends.filter((end) => end !== undefined && end > this.#parts.clock.seconds) as readonly number[];
    return ahead.length === 0 ? undefined : Math.min(...ahead);
  }
}

/** A Node is drained once for its deletion, and once for each update. */
function occasionOf(object: KubeObject, node: Node): readonly string[] {
  return isDeleting(object) ? [node.uid] : [node.uid, updateOf(object)];
}

function updateOf(object: KubeObject): string {
  return stringAt(object, 'spec', 'update', 'id') ?? '';
}

/** The version to which a script updates its node. */
function versionIn(script: string): string | undefined {
  const found = /^version='([0-9]+\.[0-9]+\.[0-9]+)'$/m.exec(script)?.[1];
  return found === undefined ? undefined : `v${found}`;
}
