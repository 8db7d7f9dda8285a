/** What happens on the cloud and to machines, and what may never happen: judged at every change of an object. */
import { conditionOf, isCompositeReady } from '#lib/api/conditions.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CONDITION, LABEL } from '#lib/api/words.ts';
import type { Engine, EventFacts, Happening, ObjectRef } from '#simulator/engine.ts';
import { budgetOfPool } from '../sim/shown.ts';
import { CLUSTER, CONTROL_PLANE, POOL } from './life.ts';
import { newestKubelet } from './kubelets.ts';
import { machinesOf } from './scene.ts';

export interface Write {
  readonly at: number;
  readonly change: 'created' | 'changed' | 'deleted' | 'going';
  readonly ref: ObjectRef;
}

interface Seen {
  readonly generation: unknown;
  readonly isGoing: boolean;
  readonly isWatched: boolean;
}

const OWNERS: ReadonlySet<string> = new Set(['Cluster', 'NodePool']);

export class Watch {
  readonly broken: string[] = [];
  /** Changes of what costs money or moves pods: cloud objects, machines and their nodes. */
  readonly writes: Write[] = [];
  /** Of claims and pools. */
  readonly events: EventFacts[] = [];
  /** Machines made, by pool and slot, since people last did something. */
  readonly #made = new Map<string, string[]>();
  /** Machines that replace none. */
  readonly #added = new Set<string>();
  readonly #seen = new Map<string, Seen>();
  readonly #engine: Engine;
  /** Pools with an edit that waited since: what is added meanwhile is as before the edit, and replaced after it. */
  readonly #waited = new Set<string>();
  /** Machines that people deleted. */
  readonly #byHand = new Set<string>();
  #busyUntil = 0;
  /** Whether the first machines were there: what is judged of budgets begins then. */
  isUp = false;

  constructor(engine: Engine) {
    this.#engine = engine;
    engine.subscribe((happening) => this.#notice(happening));
  }

  /** People do something: a slot may be filled once more. */
  turn(): void {
    this.#made.clear();
    this.#waited.clear();
    for (const pool of this.#engine.list(POOLS)) if (waits(pool)) this.#waited.add(pool.metadata?.name ?? '');
  }

  deleted({ name }: ObjectRef): void {
    this.#byHand.add(name);
  }

  get lastWrite(): number {
    return Math.max(this.#busyUntil, this.writes.at(-1)?.at ?? 0);
  }

  #notice(happening: Happening): void {
    if (happening.type === 'event' && OWNERS.has(happening.event.ref.kind)) this.events.push(happening.event);
    if (happening.type === 'condition') this.#hear(happening);
    if (happening.type !== 'object') return;
    const { ref, change, at: second } = happening;
    const key = `${ref.kind}/${ref.name}`;
    if (change === 'deleted') {
      const seen = this.#seen.get(key);
      this.#seen.delete(key);
      if (seen?.isWatched === true) this.writes.push({ at: second, change, ref });
      return;
    }
    const before = this.#seen.get(key);
    if (before?.isWatched === false) return;
    const object = this.#engine.get(ref);
    if (object === undefined) return;
    const isGoing = object.metadata?.deletionTimestamp !== undefined;
    const isWatched = before?.isWatched ?? isWritten(object);
    const generation = object.metadata?.['generation'];
    this.#seen.set(key, { generation, isGoing, isWatched });
    if (!isWatched) return;
    if (before === undefined) this.writes.push({ at: second, change: 'created', ref });
    else if (isGoing && !before.isGoing) this.writes.push({ at: second, change: 'going', ref });
    else if (generation !== before.generation) this.writes.push({ at: second, change: 'changed', ref });
    else return;
    this.#judge(object, before);
  }

  #hear({ at: second, ref, condition: { type, message = '' } }: Happening & { readonly type: 'condition' }): void {
    if (type === 'Ready') this.#busyUntil = second;
    const pool = type === CONDITION.versionAccepted ? this.#engine.get(ref) : undefined;
    if (pool !== undefined && waits(pool)) this.#waited.add(ref.name);
    // What no function may answer is refused before, in words of the claim.
    if (type === CONDITION.claimAccepted && message.startsWith('cannot answer'))
      this.broken.push(`a function objects to its own answer: ${ref.kind} ${ref.name}: ${message}`);
  }

  #judge(object: KubeObject, before: Seen | undefined): void {
    if (object.kind === 'Instance' && before === undefined) this.#judgeKubelets();
    if (object.kind !== 'Machine') return;
    const pool = object.metadata?.labels?.[LABEL.nodePool] ?? '';
    if (before === undefined) {
      this.#judgeMade(object, pool);
      this.#judgeKubelets();
    } else if (!before.isGoing && object.metadata?.deletionTimestamp !== undefined) this.#judgeGoing(object, pool);
  }

  /** No machine is made twice for one thing that people do. */
  #judgeMade(machine: KubeObject, pool: string): void {
    const { name = '' } = machine.metadata ?? {};
    const slot = `${pool}/${slotOf(machine)}`;
    const made = [...(this.#made.get(slot) ?? []), name];
    this.#made.set(slot, made);
    const isAdded = !machinesOf(this.#engine, pool).some(
      (one) => one.metadata?.name !== name && slotOf(one) === slotOf(machine),
    );
    if (isAdded) this.#added.add(name);
    const replacements = made.filter((one) => !this.#added.has(one) || !this.#waited.has(pool));
    if (replacements.length > 1 && !made.some((one) => this.#byHand.has(one)))
      this.broken.push(`slot ${slot} gets a machine ${made.length} times for one edit: ${made.join(', ')}`);
    const claim = this.#engine.get({ ...POOL, name: pool });
    if (claim === undefined || !this.isUp) return;
    const all = machinesOf(this.#engine, pool);
    const { maxTotal } = budgetOfPool(claim);
    if (all.length > maxTotal && !all.some((one) => this.#byHand.has(one.metadata?.name ?? '')))
      this.broken.push(`${pool} has ${all.length} machines, at most ${maxTotal} may be: ${name} came last`);
    this.#judgeQuorum(pool, name, 'joins');
  }

  /** A ready machine goes only if enough others serve. */
  #judgeGoing(machine: KubeObject, pool: string): void {
    const { name = '' } = machine.metadata ?? {};
    const claim = this.#engine.get({ ...POOL, name: pool });
    if (this.#byHand.has(name) || claim === undefined || claim.metadata?.deletionTimestamp !== undefined) return;
    const cluster = this.#engine.get(CLUSTER);
    if (!this.isUp || cluster?.metadata?.deletionTimestamp !== undefined) return;
    const { minAvailable } = budgetOfPool(claim);
    const serving = machinesOf(this.#engine, pool).filter(
      (one) => one.metadata?.deletionTimestamp === undefined && isCompositeReady(one),
    );
    if (isCompositeReady(machine) && serving.length < minAvailable)
      this.broken.push(`${pool} has ${serving.length} machines left to serve, ${minAvailable} must be: ${name} goes`);
    this.#judgeQuorum(pool, name, 'leaves');
  }

  /** Etcd takes one step at a time. */
  #judgeQuorum(pool: string, name: string, step: string): void {
    if (pool !== CONTROL_PLANE.name || !this.isUp || this.#byHand.size > 0) return;
    const others = machinesOf(this.#engine, pool).filter(
      (one) => one.metadata?.name !== name && (one.metadata?.deletionTimestamp !== undefined || !isCompositeReady(one)),
    );
    if (others.length > 0)
      this.broken.push(`etcd takes one step at a time: ${name} ${step} while ${names(others)} is under way`);
  }

  #judgeKubelets(): void {
    const finding = newestKubelet(this.#engine);
    if (finding !== undefined && !this.broken.includes(finding)) this.broken.push(finding);
  }
}

const POOLS = { apiVersion: POOL.apiVersion, kind: POOL.kind };

function waits(pool: KubeObject): boolean {
  return conditionOf(pool, CONDITION.versionAccepted)?.status === 'False';
}

function slotOf({ metadata }: KubeObject): string {
  return metadata?.labels?.[LABEL.slot] ?? '';
}

function isWritten(object: KubeObject): boolean {
  return ['Machine', 'WorkloadNode'].includes(object.kind) || at(object, 'spec', 'forProvider') !== undefined;
}

function names(objects: readonly KubeObject[]): string {
  return objects.map((one) => stringAt(one, 'metadata', 'name') ?? '').join(', ');
}
