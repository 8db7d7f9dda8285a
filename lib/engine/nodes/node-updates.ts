/**
 * Updates of Nodes in place, as provider-node makes them: cordon, drain, wait while somebody else changes the machine,
 * run the updaters, verify, uncordon. One that ended stays so until another id is asked for; one that failed leaves its
 * Node cordoned. What a script would do to a Node is read off the script.
 */
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { seconds } from '#lib/api/fields/text.ts';
import { WorkloadNodeUpdate } from '#lib/api/kinds/workload-node.ts';
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Journal } from '../facts/journal.ts';
import { SECRET } from '../store/builtins.ts';
import { metaOf, uidOf } from '../store/object.ts';
import { refOf } from '../store/ref.ts';
import type { Store } from '../store/store.ts';
import type { Node } from './workload-cluster.ts';

export interface UpdateParts {
  readonly store: Store;
  readonly clock: Scheduler;
  readonly dice: Dice;
  readonly journal: Journal;
  /** Share of updaters that fail on a node. */
  readonly failing: number;
}

export type UpdatePhase = 'Draining' | 'Drained' | 'Running' | 'Verifying' | 'Succeeded' | 'Failed';

/** Where a Node is in its update. */
export interface Progress {
  readonly id: string;
  readonly phase: UpdatePhase;
  readonly message?: string;
}

/** What the provider does with the Node now. */
export interface Advance {
  readonly progress: Progress;
  readonly cordoned: boolean;
  /** What the Node is after the updaters ran. */
  readonly version?: string;
}

interface Care {
  progress: Progress;
  /** Virtual second at which it has failed if it did not end. */
  readonly deadline: number;
  /** Virtual second at which the phase under way is over. */
  until: number;
}

/** Seconds. */
const DRAIN = [8, 25] as const;
const UPDATER = [15, 40] as const;

export class NodeUpdates {
  readonly #parts: UpdateParts;
  /** By uid of the WorkloadNode. */
  readonly #cares = new Map<string, Care>();
  readonly #run = new Set<string>();

  constructor(parts: UpdateParts) {
    this.#parts = parts;
  }

  /** One look at a WorkloadNode; undefined when no update is asked for. @param again asks for another look in so many seconds */
  look(object: KubeObject, node: Node, again: (seconds: number) => void): Advance | undefined {
    const asked = at(object, 'spec', 'update');
    if (asked === undefined) return undefined;
    const update = WorkloadNodeUpdate.parse(asked);
    const ended = endedOf(object, update.id);
    if (ended !== undefined) return { progress: ended, cordoned: ended.phase === 'Failed' && update.disruptive };
    const care = this.#careOf(object, node, update);
    const version = this.#advance(object, node, update, care);
    const { progress } = care;
    if (hasEnded(progress.phase)) this.#end(object, node, progress);
    else again(Math.max(0.1, Math.min(care.until, care.deadline) - this.#parts.clock.seconds));
    const cordoned = update.disruptive && progress.phase !== 'Succeeded';
    return { progress, cordoned, ...(version === undefined ? {} : { version }) };
  }

  #careOf(object: KubeObject, node: Node, { id, disruptive, timeout }: WorkloadNodeUpdate): Care {
    const { clock, dice, journal } = this.#parts;
    const known = this.#cares.get(uidOf(object));
    if (known?.progress.id === id) return known;
    if (this.#run.has(`${node.uid} ${id}`)) journal.violation(`Node ${node.name} is updated twice for ${id}`);
    const care: Care = {
      progress: { id, phase: disruptive ? 'Draining' : 'Drained', ...(disruptive ? evicting(node) : {}) },
      deadline: clock.seconds + seconds(timeout),
      until: clock.seconds + (disruptive ? dice.between(...DRAIN, 'drain', node.uid, id) : 0),
    };
    this.#cares.set(uidOf(object), care);
    return care;
  }

  /** As far as it goes at this instant. The version the Node has then, when an updater changed it. */
  #advance(object: KubeObject, node: Node, update: WorkloadNodeUpdate, care: Care): string | undefined {
    const { clock, dice } = this.#parts;
    const { id } = update;
    const { phase } = care.progress;
    if (clock.seconds >= care.deadline) {
      care.progress = { id, phase: 'Failed', message: `not done within ${update.timeout}, while ${phase}` };
      return undefined;
    }
    if (phase === 'Draining' && clock.seconds >= care.until) care.progress = { id, phase: 'Drained' };
    if (care.progress.phase === 'Drained') {
      care.until = care.deadline;
      if (update.hold) return undefined;
      care.progress = { id, phase: 'Running' };
      const each = update.updaters.map((name) => dice.between(...UPDATER, 'updater', node.uid, id, name));
      care.until = clock.seconds + each.reduce((sum, one) => sum + one, 0);
    }
    if (care.progress.phase === 'Running') return this.#running(object, node, update, care);
    if (care.progress.phase === 'Verifying') this.#verify(node, update, care);
    return undefined;
  }

  #running(object: KubeObject, node: Node, update: WorkloadNodeUpdate, care: Care): string | undefined {
    const { clock, dice, failing } = this.#parts;
    const { id, updaters } = update;
    if (clock.seconds < care.until) return undefined;
    const scripts = updaters.map((name) => [name, this.#script(object, update, name)] as const);
    const missing = scripts.find(([, text]) => text === undefined);
    if (missing !== undefined) {
      care.until = clock.seconds + 5;
      care.progress = { id, phase: 'Running', message: `waiting for the script of updater ${missing[0]}` };
      return undefined;
    }
    const failed = updaters.find((name) => dice.roll('updater-fails', node.name, id, name) < failing);
    if (failed !== undefined) {
      care.progress = { id, phase: 'Failed', message: `updater ${failed} failed on Node "${node.name}": exit code 1` };
      return undefined;
    }
    care.until = care.deadline;
    care.progress = { id, phase: 'Verifying' };
    const version = scripts.map(([, text]) => versionIn(text ?? '')).findLast((one) => one !== undefined);
    this.#verify(version === undefined ? node : { ...node, version }, update, care);
    return version;
  }

  #verify(node: Node, { id, version }: WorkloadNodeUpdate, care: Care): void {
    if (!node.ready) care.progress = { id, phase: 'Verifying', message: `Node "${node.name}" is not ready` };
    else if (version !== undefined && node.version !== version)
      care.progress = { id, phase: 'Verifying', message: `the kubelet reports ${node.version}, ${version} is wanted` };
    else {
      this.#run.add(`${node.uid} ${id}`);
      care.progress = { id, phase: 'Succeeded' };
    }
  }

  #script(object: KubeObject, { payloadSecretRef }: WorkloadNodeUpdate, updater: string): string | undefined {
    const { namespace = '' } = metaOf(object);
    const secret = this.#parts.store.find({ ...SECRET, namespace, name: payloadSecretRef?.name ?? '' });
    const text = stringAt(secret, 'data', updater);
    return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
  }

  #end(object: KubeObject, { controlPlane }: Node, { id, phase, message }: Progress): void {
    const { journal } = this.#parts;
    this.#cares.delete(uidOf(object));
    journal.count(
      phase === 'Succeeded' ? 'nodesUpdated' : 'nodeUpdatesFailed',
      controlPlane ? 'control-plane' : 'worker',
    );
    journal.moment(
      refOf(object),
      phase === 'Succeeded' ? `updated in place (${id})` : `update ${id} failed: ${message}`,
    );
  }
}

function endedOf(object: KubeObject, id: string): Progress | undefined {
  const told = at(object, 'status', 'update');
  const phase = stringAt(told, 'phase');
  if (stringAt(told, 'id') !== id || (phase !== 'Succeeded' && phase !== 'Failed')) return undefined;
  const message = stringAt(told, 'message');
  return { id, phase, ...(message === undefined ? {} : { message }) };
}

function evicting(node: Node): { readonly message: string } {
  return { message: `evicting pods from Node "${node.name}"` };
}

/** The version a script says it brings its node to. */
function versionIn(script: string): string | undefined {
  const found = /^version='([0-9]+\.[0-9]+\.[0-9]+)'$/m.exec(script)?.[1];
  return found === undefined ? undefined : `v${found}`;
}

/** What the object's status says of it. */
export function statusOf({ id, phase, message }: Progress): JsonObject {
  return { id, phase, ...(message === undefined ? {} : { message }) };
}
