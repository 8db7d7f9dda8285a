/** The world for tests that control each step; every step is judged. */
import { at, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { Chance } from './chance.ts';
import type { StepResult } from './crossplane.ts';
import { CALM, type Faults } from './faults.ts';
import { Judge } from './judge.ts';
import { isServing, isUpdating, type Life } from './machines.ts';
import type { Answer } from './releases.ts';
import { AWS } from './flavours.ts';
import { conditionsOf } from './silence.ts';
import { STEP, World } from './world.ts';

/** Steps. */
export const MINUTE = 60_000 / STEP;

export class Play {
  readonly world: World;
  readonly #judge: Judge;
  /** What each step did. */
  readonly results: StepResult[] = [];

  private constructor(spec: JsonObject) {
    this.world = new World(spec, AWS, new Chance(0), CALM);
    this.#judge = new Judge(this.world);
  }

  /** A pool of three by default, all of them ready. */
  static async up(spec: JsonObject = {}): Promise<Play> {
    const play = new Play({ replicas: 3, ...spec });
    await play.settle();
    return play;
  }

  edit(spec: JsonObject): this {
    this.world.edit(spec);
    return this;
  }

  fail(faults: Partial<Faults>): this {
    this.world.faults = { ...CALM, ...faults };
    return this;
  }

  /** That many steps, with a call of Crossplane in each. */
  async step(count = 1): Promise<this> {
    for (let i = 0; i < count; i += 1) {
      this.world.pass();
      await this.call();
    }
    return this;
  }

  /** Crossplane calls at once, before anything else happens. */
  async call(): Promise<this> {
    this.#judge.prepare();
    const result = await this.world.reconcile(true);
    this.#judge.judge(result);
    if (result !== undefined) this.results.push(result);
    return this;
  }

  /** Until nothing changes for some steps. */
  async settle(limit = 400): Promise<this> {
    const { world } = this;
    const end = world.tick + limit;
    for (let quiet = 0; quiet < 4;) {
      if (world.tick >= end) throw new Error(`it did not settle in ${limit} steps:\n${world.log.join('\n')}`);
      const lines = world.log.length;
      await this.step();
      quiet = world.log.length === lines && this.lives.every(isSettled) ? quiet + 1 : 0;
    }
    return this;
  }

  ask(): Promise<Answer> {
    return this.world.ask();
  }

  /** Machines that are not being deleted, sorted by name. */
  get names(): readonly string[] {
    return this.machines.map(({ metadata }) => metadata?.name ?? '');
  }

  get machines(): readonly KubeObject[] {
    return this.lives
      .map(({ object }) => object)
      .toSorted((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
  }

  get lives(): readonly Life[] {
    return [...this.world.lives.values()].filter(({ going }) => going === undefined);
  }

  get serving(): number {
    return this.lives.filter(isServing).length;
  }

  /** A field in the spec of each machine. */
  each(...path: readonly string[]): readonly (Json | undefined)[] {
    return this.machines.map((machine) => at(machine, 'spec', ...path));
  }

  /** The same for a string field; - if it does not exist. */
  texts(...path: readonly string[]): readonly string[] {
    return this.machines.map((machine) => stringAt(machine, 'spec', ...path) ?? '-');
  }

  get created(): readonly string[] {
    return this.results.flatMap(({ created }) => created);
  }

  get deleted(): readonly string[] {
    return this.results.flatMap(({ deleted }) => deleted);
  }

  /** Machines that got an update request, once for each request. */
  get ordered(): readonly string[] {
    return this.results.flatMap(({ ordered }) => ordered.map(({ name }) => name));
  }

  condition(type: string): { readonly status: string; readonly reason: string; readonly message: string } {
    const one = conditionsOf(this.world).find((item) => stringAt(item, 'type') === type);
    const text = (field: string): string => stringAt(one, field) ?? '';
    return { status: text('status'), reason: text('reason'), message: text('message') };
  }

  /** The lines of the plan in the status of the pool. */
  get changes(): string {
    return JSON.stringify(this.plan['changes'] ?? []);
  }

  /** The plan in the status of the pool. */
  get plan(): JsonObject {
    return (at(this.world.pool, 'status', 'plan') ?? {}) as JsonObject;
  }
}

function isSettled(life: Life): boolean {
  return (life.isNode || life.late) && !isUpdating(life);
}
