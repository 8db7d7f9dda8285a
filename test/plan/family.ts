/**
 * A Cluster and its pools in simulations of test/sim that advance together: the control-plane pool as its Cluster
 * composes it, and workers, with the pipeline and the rules of the shipped Composition.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SlipwayError } from '#lib/api/errors.ts';
import { at, type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Request } from '#lib/fn/request.ts';
import { controlPlanePool } from '../../functions/cluster/control-plane.ts';
import { run as inPlaceUpdate } from '../../functions/in-place-update/fn.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';
import { Chance } from '../sim/chance.ts';
import { CALM } from '../sim/faults.ts';
import { AWS as FLAVOUR } from '../sim/flavours.ts';
import { isServing } from '../sim/machines.ts';
import { nameOf, type View } from '../sim/observation.ts';
import type { Answer, Release } from '../sim/releases.ts';
import { World } from '../sim/world.ts';
import { aCluster, aNodePool } from '../support/claims.ts';
import { aRequest } from '../support/request.ts';
import { type Case, type Edit, edited } from './case.ts';

const SHIPPED = parse(
  readFileSync(join(import.meta.dirname, '../../compositions/aws/nodepool.yaml'), 'utf8'),
) as KubeObject;
const [, UPDATE] = at(SHIPPED, 'spec', 'pipeline') as readonly JsonObject[];
const RULES = at(UPDATE, 'input') as JsonObject;
const AWS = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'aws' } } };

/** A pool is settled after that many steps without news. */
const QUIET = 4;
const STEP_SECONDS = 15;
const MOST = 1200;

export class PoolWorld extends World {
  /** Names in the order the machines were created. */
  created: readonly string[] = [];

  constructor(pool: KubeObject, cluster: KubeObject, seed: number) {
    super({}, { ...FLAVOUR, rules: RULES }, new Chance(seed), CALM);
    this.pool = pool;
    this.cluster = cluster;
  }

  /** A call that a function refuses changes nothing. */
  override async ask(view: View = this.view(), release?: Release): Promise<Answer> {
    try {
      return await super.ask(view, release);
    } catch (thrown) {
      if (!(thrown instanceof SlipwayError)) throw thrown;
      const kept = view.machines.map(
        (one) => [nameOf(one), { resource: asDesired(one), ready: 'Unspecified' }] as const,
      );
      const { status = {} } = view.pool;
      return { resources: new Map(kept), status, conditions: [], events: [], compositeReady: 'Unspecified', ttl: 60 };
    }
  }

  /** The plan in the pipeline context; undefined when nothing changes. Throws the refusal of a function. */
  async plan(view: View, cluster: KubeObject): Promise<unknown> {
    const world = { now: this.now, randomBytes: (length: number) => new Uint8Array(length) };
    const request = aRequest({
      composite: view.pool,
      observed: Object.fromEntries(view.machines.map((machine) => [nameOf(machine), machine])),
      required: { cluster: [cluster], machines: view.required },
    });
    const { status, compositeReady, resources, context } = (await nodepool(request, world)).build();
    const { apiVersion, kind } = view.pool;
    const second: Request = {
      ...request,
      input: RULES,
      desired: { composite: { apiVersion, kind, status }, compositeReady, resources },
      context,
    };
    return (await inPlaceUpdate(second, world)).build().context[CONTEXT.updatePlan];
  }
}

export class Family {
  cluster: KubeObject;
  readonly pools: readonly PoolWorld[];
  readonly #controlPlane: PoolWorld;
  #workers: JsonObject | undefined;

  constructor({ role, spec, seed }: Case) {
    const own = role === 'control-plane' ? spec : { controlPlane: { replicas: 1, machine: { class: 'standard-2' } } };
    const cluster = aCluster({ spec: { crossplane: AWS, region: 'eu-west', ...own } });
    this.cluster = { ...cluster, status: { ...cluster.status, controlPlane: { initialized: true } } };
    this.#controlPlane = new PoolWorld(this.#composed(), this.cluster, seed);
    this.#workers = role === 'worker' ? { ...aNodePool({ spec: { ...spec, crossplane: AWS } }).spec } : undefined;
    const workers = aNodePool({ spec: this.#workers ?? {} });
    this.pools = [
      this.#controlPlane,
      ...(this.#workers === undefined ? [] : [new PoolWorld(workers, this.cluster, seed + 1)]),
    ];
  }

  /** @returns the claims with all edits so far */
  edit(edit: Edit): readonly KubeObject[] {
    const claims: KubeObject[] = [];
    if (edit.cluster !== undefined) {
      this.#become({ ...this.cluster, spec: edited(this.cluster.spec ?? {}, edit.cluster) });
      const { spec = {}, metadata } = this.#composed();
      // The Cluster writes on its pool which of its settings the spec belongs to.
      const { pool } = this.#controlPlane;
      this.#controlPlane.pool = {
        ...pool,
        metadata: { ...pool.metadata, annotations: { ...metadata?.annotations } },
      };
      this.#controlPlane.edit(spec);
      this.#workerWorld?.edit({});
      const { status: _status, ...claim } = this.cluster;
      claims.push(claim);
    }
    const world = this.#workerWorld;
    if (edit.pool !== undefined && world !== undefined) {
      this.#workers = edited(this.#workers ?? {}, edit.pool);
      world.pool = { ...world.pool, spec: this.#workers };
      world.edit({});
      const { status: _status, ...claim } = world.pool;
      claims.push(claim);
    }
    return claims;
  }

  #become(cluster: KubeObject): void {
    this.cluster = cluster;
    for (const world of this.pools) world.cluster = cluster;
  }

  get #workerWorld(): PoolWorld | undefined {
    return this.pools[1];
  }

  #composed(): KubeObject {
    const { status: _status, ...claim } = this.cluster;
    const cluster = parseAs(Cluster, claim, 'Cluster');
    const pool = controlPlanePool({ cluster, composite: this.cluster }, []);
    return { ...pool, metadata: { ...pool.metadata, uid: 'pool-uid' } };
  }

  async step(anyway: boolean): Promise<void> {
    for (const world of this.pools) world.pass();
    await this.reconcile(anyway);
  }

  async reconcile(anyway: boolean): Promise<void> {
    for (const world of this.pools) {
      const result = await world.reconcile(anyway);
      world.created = [...world.created, ...(result?.created ?? [])];
    }
    const version = stringAt(this.#controlPlane.pool, 'status', 'version');
    const status = {
      ...this.cluster.status,
      controlPlane: { initialized: true, ...(version === undefined ? {} : { version }) },
    };
    if (sameJson(status, this.cluster.status ?? {})) return;
    this.#become({ ...this.cluster, status });
    for (const world of this.pools) world.edit({});
  }

  async steps(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) await this.step(i % QUIET === 0);
  }

  /** Until every machine is ready and nothing changes, call after call. */
  async rest(): Promise<void> {
    const steps = QUIET + Math.max(...this.pools.map(({ pool }) => readySeconds(pool))) / STEP_SECONDS;
    let quiet = 0;
    for (let i = 0; quiet < steps; i += 1) {
      if (i > MOST) throw new Error(`the pools do not come to rest:\n${this.log().slice(-30).join('\n')}`);
      const before = this.log().length;
      await this.step(quiet > 0 || i % QUIET === 0);
      const serving = this.pools.every(({ lives }) => [...lives.values()].every(isServing));
      quiet = this.log().length === before && serving ? quiet + 1 : 0;
    }
  }

  /** Time passes until a moment, and nothing else happens. */
  pass(until: number): void {
    while (this.pools.some(({ now }) => now.getTime() <= until)) for (const world of this.pools) world.pass();
  }

  log(): readonly string[] {
    return this.pools.flatMap((world) => world.log.map((line) => `${nameOf(world.pool)} ${line}`));
  }
}

function readySeconds(pool: KubeObject): number {
  const seconds = at(pool, 'spec', 'update', 'minReadySeconds');
  return typeof seconds === 'number' ? seconds : 0;
}
