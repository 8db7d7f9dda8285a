/** What a provider remembers of managed resources while it runs. */
import type { KubeObject } from '#lib/api/json.ts';
import { metaOf } from '../store/object.ts';
import type { CloudObject } from './kind.ts';

/** Of one managed resource. */
export interface ManagedState {
  thing: CloudObject | undefined;
  /** Whether an operation is running. */
  busy: boolean;
  /** The second until which it does not look again, after a change that failed in the background. */
  rests: number;
  /** Number of operations begun; part of the name of a random draw. */
  attempts: number;
  /** How often a cloud object was created for it. */
  creations: number;
  /** Whether a machine has read it and deleted it, which is what it is for. */
  isSpent: boolean;
}

export class ManagedStates {
  readonly #byUid = new Map<string, ManagedState>();

  of(resource: KubeObject): ManagedState {
    const uid = metaOf(resource).uid ?? '';
    const known = this.#byUid.get(uid);
    if (known !== undefined) return known;
    const state: ManagedState = { thing: undefined, busy: false, rests: 0, attempts: 0, creations: 0, isSpent: false };
    this.#byUid.set(uid, state);
    return state;
  }

  forget(resource: KubeObject): void {
    this.#byUid.delete(metaOf(resource).uid ?? '');
  }
}
