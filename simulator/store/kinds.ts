/** The kinds that the API server serves: from loaded definitions, and those that a simulated controller adds. */
import type { Issue } from '#lib/api/parse.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { noSuchKind } from './api-error.ts';
import { kindKey } from './ref.ts';
import { ANYTHING, type Schema } from './schema/node.ts';

export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Whether status is written separately, and other changes increase metadata.generation. */
  readonly hasStatus: boolean;
  /** The schema of the whole object; `ANYTHING` for a kind without one. */
  readonly schema: Schema;
  /** A Crossplane XR. */
  readonly composite: boolean;
  /** Rewrites an object on admission, as the API server does with stringData of a Secret. */
  readonly admit?: (object: KubeObject) => KubeObject;
  /** Checks that a schema cannot express. `before` is absent on creation. */
  readonly check?: (after: KubeObject, before: KubeObject | undefined) => readonly Issue[];
}

export class Kinds {
  readonly #kinds = new Map<string, Kind>();

  /** Adds a kind or replaces its definition. */
  define(kind: Kind): void {
    this.#kinds.set(kindKey(kind.apiVersion, kind.kind), kind);
  }

  /** Adds a kind without a schema, unless it is already defined. */
  defineOpen(apiVersion: string, kind: string, schema: Schema = ANYTHING): void {
    if (this.find(apiVersion, kind) !== undefined) return;
    this.define({ apiVersion, kind, namespaced: true, hasStatus: true, schema, composite: false });
  }

  get all(): readonly Kind[] {
    return [...this.#kinds.values()];
  }

  find(apiVersion: string, kind: string): Kind | undefined {
    return this.#kinds.get(kindKey(apiVersion, kind));
  }

  get(apiVersion: string, kind: string): Kind {
    const found = this.find(apiVersion, kind);
    if (found === undefined) throw noSuchKind(apiVersion, kind);
    return found;
  }

  get composites(): readonly Kind[] {
    return [...this.#kinds.values()].filter(({ composite }) => composite);
  }
}
