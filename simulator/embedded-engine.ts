/** The complete engine: a control plane, the clouds that it manages and their machines. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { describeIssues } from '#lib/api/parse.ts';
import { Cloud } from './cloud/cloud.ts';
import { ControlPlane } from './control-plane.ts';
import type { Happening, Snapshot } from './facts/facts.ts';
import { snapshotOf } from './facts/snapshot.ts';
import type { Engine, EngineOptions, ListFilter, ProviderName, RunOutcome } from './interface.ts';
import { Workloads } from './nodes/workloads.ts';
import { ApiError } from './store/api-error.ts';
import { loadAll } from './store/loader.ts';
import { type ObjectRef, describeRef } from './store/ref.ts';
import type { Propagation } from './store/propagation.ts';

const MANAGER = 'kubectl';

export class EmbeddedEngine implements Engine {
  readonly #seed: number;
  readonly #plane: ControlPlane;
  readonly #cloud: Cloud;
  readonly #workloads: Workloads;

  constructor(options: EngineOptions) {
    this.#seed = options.seed;
    this.#plane = new ControlPlane(options);
    this.#cloud = new Cloud(this.#plane, options.clouds, options.faults ?? {});
    this.#workloads = new Workloads(this.#plane, this.#cloud, options.faults ?? {}, options.programs);
  }

  get now(): Date {
    return this.#plane.clock.now;
  }

  get seconds(): number {
    return this.#plane.clock.seconds;
  }

  load(objects: readonly KubeObject[]): void {
    loadAll(this.#plane.store, objects);
  }

  apply(object: KubeObject): KubeObject {
    try {
      return this.#plane.store.apply(object, { manager: MANAGER, strict: true });
    } catch (thrown) {
      if (!ApiError.is(thrown)) throw thrown;
      const cause = thrown.issues.length === 0 ? thrown.message : describeIssues(thrown.issues);
      throw new SlipwayError('InvalidClaim', `cannot accept ${describeObject(object)}: ${cause}`);
    }
  }

  delete(ref: ObjectRef, propagation: Propagation = 'Background'): void {
    try {
      this.#plane.store.delete(ref, { propagation });
    } catch (thrown) {
      if (!ApiError.is(thrown)) throw thrown;
      const code = thrown.reason === 'NotFound' ? 'UnknownSubject' : 'Unsupported';
      throw new SlipwayError(code, `cannot delete ${describeRef(ref)}: ${thrown.message}`);
    }
  }

  at(seconds: number, action: () => void): void {
    this.#plane.clock.at(seconds, action);
  }

  stop(provider: ProviderName, seconds: number): void {
    if (provider === 'cloud') this.#cloud.stop(seconds);
    else this.#workloads.stop(seconds);
  }

  terminate(ref: ObjectRef): void {
    this.#cloud.terminate(ref);
  }

  setVolume(ref: ObjectRef, volume: string, isAttached: boolean): void {
    this.#cloud.setVolume(ref, volume, isAttached);
  }

  step(): Promise<boolean> {
    return this.#plane.clock.step();
  }

  async runUntil(predicate: () => boolean, { limitSeconds }: { readonly limitSeconds: number }): Promise<RunOutcome> {
    const { clock } = this.#plane;
    for (;;) {
      if (predicate()) return { reached: true, seconds: clock.seconds, idle: false };
      const { next } = clock;
      if (next === undefined || next > limitSeconds) {
        clock.advanceTo(limitSeconds);
        return { reached: false, seconds: clock.seconds, idle: next === undefined };
      }
      await clock.step();
    }
  }

  get(ref: ObjectRef): KubeObject | undefined {
    return this.#plane.store.find(ref);
  }

  list(filter: ListFilter): readonly KubeObject[] {
    return this.#plane.store.list(filter);
  }

  subscribe(listener: (happening: Happening) => void): () => void {
    return this.#plane.journal.subscribe(listener);
  }

  snapshot(): Snapshot {
    return snapshotOf(this.#plane, this.#seed, this.#cloud.size);
  }
}
