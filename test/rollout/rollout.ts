/** A toy world for roll-outs: both steps of a pool's pipeline, and machines that become ready one step after they were made. */
import { type JsonObject, type KubeObject, sameJson } from '#lib/api/json.ts';
import { conditionOf, isManagedReady, transitionOf } from '#lib/api/conditions.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';
import { aCluster, aNodePool, conditions, withStatus } from '../support/claims.ts';
import { aRequest, aWorld } from '../support/request.ts';
import { run } from '../../functions/in-place-update/fn.ts';

/** The rules of compositions/aws, which the tests of Compositions keep equal. */
export const INPUT: JsonObject = {
  apiVersion: 'fn.slipway.dev/v1alpha1',
  kind: 'InPlaceUpdateInput',
  rules: [
    { path: 'spec.labels', decision: 'Patch' },
    { path: 'spec.taints', decision: 'Patch' },
    { path: 'spec.bootstrap.action', decision: 'Ignore' },
  ],
};

export class Rollout {
  pool: KubeObject;
  input: JsonObject = INPUT;
  machines: readonly KubeObject[] = [];
  /** Deleted, but still there. */
  leaving: readonly KubeObject[] = [];
  readonly log: string[] = [];
  /** Seconds that pass from one step to the next. */
  pace = 0;
  now = Date.parse('2026-01-01T00:00:00Z');
  #step = 0;

  constructor(spec: JsonObject) {
    this.pool = aNodePool({ spec });
  }

  edit(spec: JsonObject): this {
    this.log.push(`edit: ${JSON.stringify(spec)}`);
    this.pool = { ...this.pool, spec: { ...this.pool.spec, ...spec } };
    return this;
  }

  /** One call of both steps and what Crossplane makes of it; machines that were made before become ready unless `sick` names them. */
  async step(sick: (machine: KubeObject) => boolean = () => false): Promise<ReplyData> {
    this.#step += 1;
    this.now += this.pace * 1000;
    const reply = await this.reply();
    const before = new Map(this.machines.map((machine) => [nameOf(machine), machine]));
    const desired = new Map([...reply.resources].map(([key, { resource }]) => [key, resource]));
    this.leaving = this.machines.filter((machine) => !desired.has(nameOf(machine))).map(leave);
    for (const machine of this.leaving) this.#tell(`deleted ${nameOf(machine)}`);
    for (const [key, object] of desired)
      if (!before.has(key)) this.#tell(`created ${nameOf(object)} (${JSON.stringify(object.spec?.['machine'])})`);
    for (const [key, object] of desired) {
      const was = before.get(key);
      if (was !== undefined && !sameJson(was.spec, object.spec)) this.#tell(`patched ${key}`);
    }
    this.machines = [...desired.values()].map((object) => {
      const was = before.get(nameOf(object));
      const metadata = { ...object.metadata, creationTimestamp: was?.metadata?.creationTimestamp ?? this.#stamp };
      const status = this.#conditions(was, was !== undefined && !sick(object));
      const nodeRef =
        conditionOf({ ...object, status }, 'Ready')?.status === 'True' ? { name: nameOf(object) } : undefined;
      return withStatus(
        { ...object, metadata },
        { ...(nodeRef === undefined ? {} : { nodeRef }), ...was?.status, ...status },
      );
    });
    this.pool = {
      ...this.pool,
      status: { ...reply.status, conditions: reply.conditions.map((one) => ({ ...one })) },
    };
    return reply;
  }

  async reply(): Promise<ReplyData> {
    const first = (await nodepool(this.#request(), aWorld(this.#stamp))).build();
    const second: Request = {
      ...this.#request(),
      input: this.input,
      desired: {
        composite: { apiVersion: 'v1', kind: 'x', status: first.status },
        compositeReady: first.compositeReady,
        resources: first.resources,
      },
      context: first.context,
    };
    return (await run(second, aWorld(this.#stamp))).build();
  }

  /** Steps until nothing changes any more; throws when that takes too long. */
  async settle(limit = 40): Promise<this> {
    for (let i = 0; i < limit; i += 1) {
      const before = JSON.stringify([this.machines, this.leaving]);
      await this.step();
      if (JSON.stringify([this.machines, this.leaving]) === before) return this;
    }
    throw new Error(`did not settle in ${limit} steps:\n${this.log.join('\n')}`);
  }

  get ready(): number {
    return this.machines.filter(isManagedReady).length;
  }

  /** Machines that exist, those on their way out included. */
  get total(): number {
    return this.machines.length + this.leaving.length;
  }

  get #stamp(): string {
    return new Date(this.now).toISOString().replace('.000Z', 'Z');
  }

  /** A condition keeps its time as long as it is the same. */
  #conditions(was: KubeObject | undefined, ready: boolean): JsonObject {
    const before = conditionOf(was, 'Ready');
    const since = (before?.status === 'True') === ready ? transitionOf(was, 'Ready') : undefined;
    const lastTransitionTime = new Date(since ?? this.now).toISOString().replace('.000Z', 'Z');
    const { conditions: list } = conditions(ready);
    return { conditions: (list as readonly JsonObject[]).map((one) => ({ ...one, lastTransitionTime })) };
  }

  #request(): Request {
    const all = [...this.machines, ...this.leaving];
    return aRequest({
      composite: this.pool,
      observed: Object.fromEntries(this.machines.map((machine) => [nameOf(machine), machine])),
      required: { cluster: [aCluster()], machines: all },
    });
  }

  #tell(text: string): void {
    this.log.push(`step ${this.#step}: ${text}; ${this.ready} ready`);
  }
}

export function nameOf(object: KubeObject): string {
  return object.metadata?.name ?? '';
}

function leave(machine: KubeObject): KubeObject {
  return { ...machine, metadata: { ...machine.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
}
