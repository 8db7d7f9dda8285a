/**
 * One pool in a small simulation: both steps of its pipeline, called as Crossplane calls them, with the shipped update
 * rules; machines with their own lives; a user; and a clock with steps of 15 seconds.
 */
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { aCluster, aNodePool } from '../support/claims.ts';
import type { Request } from '#lib/fn/request.ts';
import { ANNOTATION } from '#lib/api/words.ts';
import { clusterOn, requestFor } from './asked.ts';
import type { Chance } from './chance.ts';
import { Crossplane, type Cut, CUTS, type StepResult } from './crossplane.ts';
import type { Faults } from './faults.ts';
import type { Flavour } from './flavours.ts';
import { isDoomed, isNodeReady, isServing, type Life, live, shown } from './machines.ts';
import { blurred, type View } from './observation.ts';
import { startupOf, unhealthyAfter } from './patience.ts';
import { type Answer, answer, type Release } from './releases.ts';
import type { Goal } from './ways.ts';

/** Milliseconds. */
export const STEP = 15_000;
const START = Date.UTC(2026, 0, 1);

export class World {
  pool: KubeObject;
  readonly crossplane = new Crossplane();
  /** Updates that were carried out to their end, by machine and id. */
  readonly updates = new Map<string, number>();
  readonly log: string[] = [];
  faults: Faults;
  cluster: KubeObject;
  readonly flavour: Flavour;
  /** Reasons and messages of events, in their order. */
  readonly events: string[] = [];
  /** Counts whatever changes the best sequence: edits, deletions and annotations by hand, machines that fail. */
  turns = 0;
  /** Counts actions of users. */
  hands = 0;
  /** Counts responses that Crossplane published. */
  published = 0;
  /** Tick of the last change. */
  moved = 0;
  readonly #chance: Chance;
  #tick = 0;
  #seen: View | undefined;
  /** The pool and its references, as the last call that wrote to it read them. */
  #read: Pick<View, 'pool' | 'refs'> | undefined;
  #known: string | undefined;
  #edits = 0;

  constructor(spec: JsonObject, flavour: Flavour, chance: Chance, faults: Faults) {
    this.pool = aNodePool({ spec });
    this.flavour = flavour;
    this.cluster = clusterOn(flavour);
    this.#chance = chance;
    this.faults = faults;
  }

  /** The same world at the same moment, continued with its own random numbers and faults. */
  fork(chance: Chance, faults: Faults): World {
    const fork = new World({}, this.flavour, chance, faults);
    fork.pool = this.pool;
    this.crossplane.copyTo(fork.crossplane);
    fork.cluster = this.cluster;
    fork.#tick = this.#tick;
    fork.#seen = this.#seen;
    fork.#known = this.#known;
    return fork;
  }

  get lives(): Map<string, Life> {
    return this.crossplane.lives;
  }

  get tick(): number {
    return this.#tick;
  }

  get now(): Date {
    return new Date(START + this.#tick * STEP);
  }

  /** What machines should be: workers follow the version of the control plane, a control plane that of its Cluster. */
  get goal(): Goal {
    const runs = stringAt(this.cluster, 'status', 'controlPlane', 'version') ?? '';
    const asked = stringAt(this.cluster, 'spec', 'version') ?? '';
    const leads = at(this.pool, 'spec', 'role') === 'control-plane';
    // A downgrade of the minor version is refused.
    const held = minorOf(asked) < minorOf(runs);
    const version = stringAt(this.pool, 'spec', 'version') ?? (leads && !held ? asked : runs);
    return { pool: this.pool, version, resizes: this.flavour.resizes, now: this.now.getTime() };
  }

  /** When a machine was made, in milliseconds since 1970. */
  made({ createdAt }: Life): number {
    return START + createdAt * STEP;
  }

  edit(spec: JsonObject): void {
    this.pool = { ...this.pool, spec: { ...this.pool.spec, ...spec } };
    this.#turn(`edit ${JSON.stringify(spec)}`);
  }

  /**
   * The version of the Cluster changes.
   * @param runs the version of its control plane from now on; by default the new version at once
   */
  upgrade(version: string, runs = version): void {
    const { spec, status } = this.cluster;
    const controlPlane = { ...(status?.['controlPlane'] as JsonObject), version: runs };
    this.cluster = aCluster({ spec: { ...spec, version }, status: { ...status, controlPlane } });
    this.#turn(`upgrade ${version}${runs === version ? '' : `, the control plane runs ${runs}`}`);
  }

  /** A user deletes a machine. */
  remove(name: string): void {
    const life = this.lives.get(name);
    if (life === undefined || life.going !== undefined) return;
    life.going = 2;
    this.#turn(`${name} is deleted by hand`);
  }

  annotate(name: string, annotation: string): void {
    const life = this.lives.get(name);
    if (life === undefined || annotation in life.annotations) return;
    life.annotations = { ...life.annotations, [annotation]: '' };
    this.#turn(`${name} is annotated ${annotation}`);
  }

  /** A user edits a Machine instead of its pool. */
  tamper(name: string, field: string, value: JsonObject | string): void {
    const life = this.lives.get(name);
    if (life === undefined) return;
    life.object = { ...life.object, spec: { ...life.object.spec, [field]: value } };
    this.#turn(`${name} is edited by hand: ${field} ${JSON.stringify(value)}`);
  }

  /** Nodes that stop being ready for good. */
  sicken(names: readonly string[]): void {
    for (const name of names) {
      const life = this.lives.get(name);
      if (life === undefined) continue;
      Object.assign(life, { sick: true, since: this.#tick, nodeSince: this.#tick });
      this.#turn(`${name} becomes unhealthy`);
    }
  }

  #turn(text: string): void {
    this.#edits += 1;
    this.turns += 1;
    this.hands += 1;
    this.say(text);
  }

  /** Everything except the pool advances by one step. */
  pass(): void {
    this.#tick += 1;
    for (const [name, life] of this.lives) {
      const before = life.update?.phase;
      const doomed = isDoomed(life);
      const wasReady = isNodeReady(life);
      const happened = live(life, this.#tick, this.#chance, this.faults);
      if (happened !== undefined) this.say(`${name} ${happened}`);
      if (life.update?.phase === 'Succeeded' && before !== 'Succeeded') this.#count(`${name} ${life.update.id}`);
      if (!life.isNode && !life.late && this.#isOver(life.createdAt, startupOf(this.pool))) {
        life.late = true;
        this.say(`${name} did not become a node in time`);
      }
      const wasIll = life.ill;
      // A machine that is not ready may be given up before its timeout, because of its state.
      life.ill ||= life.sick && (life.going !== undefined || this.#isOver(life.nodeSince, unhealthyAfter(this.pool)));
      // A node that stops being ready cannot serve instead of others any more.
      const failed = (isDoomed(life) && !doomed) || life.ill !== wasIll || (wasReady && life.down > 0);
      if (failed) this.turns += 1;
      if (life.going !== undefined && life.going <= 0) this.lives.delete(name);
    }
  }

  #count(key: string): void {
    this.updates.set(key, (this.updates.get(key) ?? 0) + 1);
  }

  #isOver(since: number, time: number): boolean {
    return (this.#tick - since) * STEP >= time * 1000;
  }

  /** What the functions observe without faults. */
  view({ pool, refs }: Pick<View, 'pool' | 'refs'> = { pool: this.pool, refs: this.crossplane.refs }): View {
    const required = [...this.lives].map(
      ([name, life]) => [name, shown(life, this.#tick, (tick) => this.#time(tick))] as const,
    );
    const machines = required.flatMap(([name, object]) => {
      const apiVersion = refs.get(name);
      if (apiVersion === undefined) return [];
      return [object.apiVersion === apiVersion ? object : { ...object, apiVersion }];
    });
    return { pool, refs, machines, required: required.map(([, object]) => object) };
  }

  /** What the functions could see as a change since a response was applied; the same text: no change. */
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
   * Crossplane reconciles the pool; undefined when nothing happened that it would notice, or when it stops before it
   * did anything.
   * @param anyway also when nothing happened, as after the time to live of a response
   */
  async reconcile(anyway: boolean): Promise<StepResult | undefined> {
    if (!anyway && this.#news === this.#known) return undefined;
    const release = this.#release();
    const late = release !== 'previous' && this.#chance.happens(this.faults.late) ? this.#before : undefined;
    const fresh = this.view(late);
    if (late !== undefined) this.say('(the pool is read as it was before it was written to)');
    // The release before handles an observation without machines wrongly, and that cannot be fixed any more. And what
    // neither the pool nor a list shows cannot be known.
    const isClear = release === 'previous' || late !== undefined;
    const [view, fault] = isClear ? [fresh, undefined] : blurred(fresh, this.#seen, this.#chance, this.faults);
    this.#seen = fresh;
    this.#read = { pool: this.pool, refs: this.crossplane.refs };
    const reply = await this.ask(view, release);
    for (const text of [fault, release === 'current' ? undefined : `${release} release`])
      if (text !== undefined) this.say(`(${text})`);
    const cut = this.#cut();
    const result = this.crossplane.apply(view, reply, cut, this.#hands);
    if (cut === undefined) this.#publish(reply);
    // What was read late, or was not done, is done again.
    this.#known = fault === undefined && late === undefined && cut === undefined ? this.#news : undefined;
    return { ...result, release };
  }

  /** An edit comes after what Crossplane wrote before it: who sees the edit sees that, too. */
  get #before(): Pick<View, 'pool' | 'refs'> | undefined {
    return this.#read?.pool.spec === this.pool.spec ? this.#read : undefined;
  }

  #release(): Release {
    if (!this.#chance.happens(this.faults.release)) return 'current';
    // The release before replaces a machine with a requested replacement in another slot, unlike this one.
    if ([...this.lives.values()].some(({ annotations }) => ANNOTATION.remediateMachine in annotations)) return 'next';
    return this.#chance.happens(0.5) ? 'previous' : 'next';
  }

  #cut(): Cut | undefined {
    if (!this.#chance.happens(this.faults.cut)) return undefined;
    const cut = CUTS[this.#chance.between(0, CUTS.length - 1)]!;
    this.say(`(Crossplane stops ${cut})`);
    return cut;
  }

  get #hands() {
    return { tick: this.#tick, chance: this.#chance, faults: this.faults, say: (text: string) => this.say(text) };
  }

  #publish(reply: Answer): void {
    this.published += 1;
    const conditions = reply.conditions.map((one) => ({ ...one }));
    this.pool = { ...this.pool, status: { ...reply.status, conditions } };
    for (const { reason, message } of reply.events) this.events.push(`${reason}: ${message}`);
  }

  /** The response of the pipeline to a view; nothing is applied. */
  ask(view: View = this.view(), release: Release = 'current'): Promise<Answer> {
    const world = { now: this.now, randomBytes: (length: number) => new Uint8Array(length) };
    return answer(this.request(view), this.flavour.rules, release, world);
  }

  /** The request of the first step of the pipeline. */
  request(view: View = this.view()): Request {
    return requestFor(view, this.cluster);
  }

  #time(tick: number): string {
    return new Date(START + tick * STEP).toISOString().replace('.000Z', 'Z');
  }

  /** The part in brackets is about the call, not about a machine. */
  say(text: string): void {
    if (!text.startsWith('(')) this.moved = this.#tick;
    const serving = [...this.lives.values()].filter(isServing).length;
    this.log.push(`${String(this.#tick).padStart(3)}  ${text}; ${serving} of ${this.lives.size} serve`);
  }
}

function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}
