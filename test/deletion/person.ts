/** A user with kubectl: deletes the object of a case, then everything else, and repeats refused deletions. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { API_VERSION, LABEL } from '#lib/api/words.ts';
import type { Engine, ObjectRef, Propagation } from '#simulator/engine.ts';
import { type Judge, ownerKinds } from './judge.ts';
import { CLUSTER, CONTROL_PLANE, NAMESPACE, POOL } from './stage.ts';
import type { Case } from './matrix.ts';

export class Person {
  /** The errors of the API server for refused deletions. */
  readonly refusals: string[] = [];
  readonly #engine: Engine;
  readonly #judge: Judge;
  readonly #propagation: Propagation;

  constructor(engine: Engine, judge: Judge, propagation: Propagation) {
    this.#engine = engine;
    this.#judge = judge;
    this.#propagation = propagation;
  }

  /** Deletes the object of the case, once. */
  begin({ object }: Case): void {
    if (object === 'Namespace') this.#engine.delete({ apiVersion: 'v1', kind: 'Namespace', name: NAMESPACE });
    if (object === 'Cluster') this.#delete(CLUSTER);
    if (object === 'NodePool') [POOL, CLUSTER].forEach((ref) => this.#delete(ref));
    if (object === 'control-plane NodePool') this.#delete(CONTROL_PLANE);
    if (object === 'all at once') [CLUSTER, POOL].forEach((ref) => this.#delete(ref));
    if (object === 'Machine') this.#deleteMachine('worker');
    if (object.endsWith('control-plane Machine')) this.#deleteMachine('control-plane');
  }

  /** All objects that exist and are not being deleted, including those without an owner. */
  goOn(): void {
    for (const ref of [CLUSTER, POOL]) this.#delete(ref);
    if (this.#propagation !== 'Orphan') return;
    for (const object of this.#judge.left)
      if (ownerKinds(object).length === 0 && !CLAIMS.has(object.kind)) this.#delete(refOf(object), 'Background');
  }

  #deleteMachine(role: string): void {
    const labels = { [LABEL.role]: role };
    const [machine] = this.#engine.list({ apiVersion: API_VERSION, kind: 'Machine', namespace: NAMESPACE, labels });
    if (machine !== undefined) this.#delete(refOf(machine));
  }

  #delete(ref: ObjectRef, propagation = this.#propagation): void {
    const object = this.#engine.get(ref);
    if (object === undefined || object.metadata?.deletionTimestamp !== undefined) return;
    try {
      this.#engine.delete(ref, propagation);
    } catch (thrown) {
      if (!(thrown instanceof SlipwayError)) throw thrown;
      this.refusals.push(thrown.message);
    }
  }
}

const CLAIMS: ReadonlySet<string> = new Set(['Cluster']);

function refOf({ apiVersion, kind, metadata }: KubeObject): ObjectRef {
  return { apiVersion, kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}
