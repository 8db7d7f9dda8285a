/**
 * One pool in a small world: both steps of its pipeline, called as Crossplane calls them, machines that live their own
 * lives, and a clock of 15-second steps. What Crossplane does with an answer: it deletes what is not desired any more,
 * then applies what is.
 */
import { at, type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { run as inPlaceUpdate } from '../../functions/in-place-update/fn.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';
import { aCluster, aNodePool } from '../support/claims.ts';
import { aRequest } from '../support/request.ts';
import type { Chance } from './chance.ts';
import { born, type Faults, isServing, type Life, live, shown } from './machines.ts';

/** Milliseconds. */
const STEP = 15_000;
const START = Date.UTC(2026, 0, 1);

/** What the pool's functions are shown. */
export interface View {
  readonly pool: KubeObject;
  /** Machines that nobody deleted. */
  readonly machines: readonly KubeObject[];
  /** All machines, as the answer to what was required shows them. */
  readonly required: readonly KubeObject[];
}

/** What one reconcile did. */
export interface Deed {
  readonly view: View;
  readonly created: readonly string[];
  readonly deleted: readonly string[];
  /** Machines given an order to update they had not before. */
  readonly ordered: readonly { readonly name: string; readonly id: string; readonly disruptive: boolean }[];
  readonly patched: readonly string[];
  readonly reply: Answer;
}

/** What a pipeline answers: its last step's reply, with the conditions of all. */
export type Answer = Pick<ReplyData, 'resources' | 'status' | 'conditions'>;

export class World {
  pool: KubeObject;
  readonly lives = new Map<string, Life>();
  /** Updates carried out to their end, by machine and id. */
  readonly updates = new Map<string, number>();
  readonly log: string[] = [];
  readonly #born = new Map<string, number>();
  readonly #input: JsonObject;
  readonly #chance: Chance;
  #cluster: KubeObject = aCluster();
  #tick = 0;
  #seen: View | undefined;
  #known: string | undefined;
  #edits = 0;
  faults: Faults;

  constructor(spec: JsonObject, input: JsonObject, chance: Chance, faults: Faults) {
    this.pool = aNodePool({ spec });
    this.#input = input;
    this.#chance = chance;
    this.faults = faults;
  }

  /** The same world at the same moment, going on by chances and faults of its own. */
  fork(chance: Chance, faults: Faults): World {
    const fork = new World({}, this.#input, chance, faults);
    fork.pool = this.pool;
    for (const [name, life] of this.lives) fork.lives.set(name, { ...life });
    for (const [name, tick] of this.#born) fork.#born.set(name, tick);
    fork.#cluster = this.#cluster;
    fork.#tick = this.#tick;
    fork.#seen = this.#seen;
    fork.#known = this.#known;
    return fork;
  }

  get tick(): number {
    return this.#tick;
  }

  get now(): Date {
    return new Date(START + this.#tick * STEP);
  }

  edit(spec: JsonObject): void {
    this.pool = { ...this.pool, spec: { ...this.pool.spec, ...spec } };
    this.#edits += 1;
    this.say(`edit ${JSON.stringify(spec)}`);
  }

  /** The Cluster's version changes; its control plane has it at once. */
  upgrade(version: string): void {
    const { spec, status } = this.#cluster;
    const controlPlane = { ...(status?.['controlPlane'] as JsonObject), version };
    this.#cluster = aCluster({ spec: { ...spec, version }, status: { ...status, controlPlane } });
    this.#edits += 1;
    this.say(`upgrade ${version}`);
  }

  /** Somebody deletes a machine. */
  remove(name: string): void {
    const life = this.lives.get(name);
    if (life === undefined || life.going !== undefined) return;
    life.going = 2;
    this.say(`${name} is deleted by hand`);
  }

  /** Everything but the pool goes on by one step. */
  pass(): void {
    this.#tick += 1;
    for (const [name, life] of this.lives) {
      const before = life.update?.phase;
      const age = this.#tick - (this.#born.get(name) ?? 0);
      const happened = live(life, age, this.#chance, this.faults);
      if (happened !== undefined) this.say(`${name} ${happened}`);
      if (life.update?.phase === 'Succeeded' && before !== 'Succeeded') {
        const key = `${name} ${life.update.id}`;
        this.updates.set(key, (this.updates.get(key) ?? 0) + 1);
      }
      if (life.going !== undefined && life.going <= 0) this.lives.delete(name);
    }
  }

  view(): View {
    const all = [...this.lives].map(([name, life]) => ({
      life,
      object: shown(life, this.#time(this.#born.get(name) ?? 0), this.now.toISOString()),
    }));
    return {
      pool: this.pool,
      machines: all.filter(({ life }) => life.going === undefined).map(({ object }) => object),
      required: all.map(({ object }) => object),
    };
  }

  /** What the functions could see to have changed since an answer was applied; the same text: nothing has. */
  get #news(): string {
    const lives = [...this.lives].map(([name, life]) => [
      name,
      life.lost,
      life.isNode,
      isServing(life),
      life.update?.phase,
      life.going === undefined,
    ]);
    return JSON.stringify([lives, this.#edits]);
  }

  /**
   * Crossplane reconciles the pool; undefined when it does not get to it, or nothing happened that it would notice.
   * @param anyway also when nothing happened, as it does when an answer's time is over
   */
  async reconcile(anyway: boolean): Promise<Deed | undefined> {
    if (!anyway && this.#news === this.#known) return undefined;
    const fresh = this.view();
    const late = this.#seen !== undefined && this.#chance.happens(this.faults.stale);
    const view = late && this.#seen !== undefined ? staleView(fresh, this.#seen) : fresh;
    this.#seen = fresh;
    const reply = await this.ask(view);
    if (this.#chance.happens(this.faults.skipped)) return undefined;
    // What was read late is read again.
    this.#known = view === fresh ? this.#news : undefined;
    return this.#apply(view, reply);
  }

  /** What the pipeline answers to a view; nothing is applied. */
  async ask(view: View): Promise<Answer> {
    const world = { now: this.now, randomBytes: (length: number) => new Uint8Array(length) };
    const request = requestFor(view, this.#cluster);
    const first = (await nodepool(request, world)).build();
    const second: Request = {
      ...request,
      input: this.#input,
      desired: {
        composite: { apiVersion: 'slipway.dev/v1alpha1', kind: 'NodePool', status: first.status },
        compositeReady: first.compositeReady,
        resources: first.resources,
      },
      context: first.context,
    };
    const { resources, status, conditions } = (await inPlaceUpdate(second, world)).build();
    return { resources, status, conditions: [...first.conditions, ...conditions] };
  }

  #apply(view: View, reply: Answer): Deed {
    const desired = [...reply.resources.values()].map(({ resource }) => resource);
    const names = new Set(desired.map(nameOf));
    const deleted = view.machines.map(nameOf).filter((name) => !names.has(name));
    for (const name of deleted) this.#delete(name);
    const created: string[] = [];
    const patched: string[] = [];
    const ordered: { name: string; id: string; disruptive: boolean }[] = [];
    for (const object of desired) {
      const name = nameOf(object);
      const life = this.lives.get(name);
      if (life === undefined) {
        created.push(name);
        this.#born.set(name, this.#tick);
        this.lives.set(name, born(object, this.#chance, this.faults));
        this.say(`${name} is created`);
        continue;
      }
      if (sameJson(life.object.spec, object.spec)) continue;
      const id = stringAt(object, 'spec', 'update', 'id');
      if (id !== undefined && id !== stringAt(life.object, 'spec', 'update', 'id')) {
        ordered.push({ name, id, disruptive: at(object, 'spec', 'update', 'disruptive') === true });
        this.say(`${name} is told to update`);
      } else {
        patched.push(name);
        this.say(`${name} is patched`);
      }
      this.lives.set(name, { ...life, object });
    }
    this.pool = {
      ...this.pool,
      status: { ...reply.status, conditions: reply.conditions.map((one) => ({ ...one })) },
    };
    return { view, created, deleted, ordered, patched, reply };
  }

  #delete(name: string): void {
    const life = this.lives.get(name);
    if (life === undefined || life.going !== undefined) return;
    life.going = this.#chance.between(1, 3);
    this.say(`${name} is deleted`);
  }

  #time(tick: number): string {
    return new Date(START + tick * STEP).toISOString();
  }

  say(text: string): void {
    const serving = [...this.lives.values()].filter(isServing).length;
    this.log.push(`${String(this.#tick).padStart(3)}  ${text}; ${serving} of ${this.lives.size} serve`);
  }
}

/**
 * Caches lag: the pool's own machines are there, with what they said before; what was required does not know yet who
 * came and who was deleted.
 */
function staleView(fresh: View, seen: View): View {
  const before = new Map(seen.required.map((machine) => [nameOf(machine), machine.status]));
  const machines = fresh.machines.map((machine) => ({ ...machine, status: before.get(nameOf(machine)) ?? {} }));
  return { pool: fresh.pool, machines, required: seen.required };
}

function requestFor({ pool, machines, required }: View, cluster: KubeObject): Request {
  return aRequest({
    composite: pool,
    observed: Object.fromEntries(machines.map((machine) => [nameOf(machine), machine])),
    required: { cluster: [cluster], machines: required },
  });
}

export function nameOf(object: KubeObject): string {
  return object.metadata?.name ?? '';
}
