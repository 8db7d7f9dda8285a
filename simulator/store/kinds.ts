/** The kinds the API server serves: from definitions that were loaded, and those a simulated controller brings. */
import type { Issue } from '#lib/api/parse.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { noSuchKind } from './api-error.ts';
import { kindKey } from './ref.ts';
import { ANYTHING, type Schema } from './schema/node.ts';

export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Whether status is written apart from the rest, and changes of the rest raise metadata.generation. */
  readonly hasStatus: boolean;
  /** The whole object's schema; for a kind nobody described, `ANYTHING`. */
  readonly schema: Schema;
  /** A Crossplane XR. */
  readonly composite: boolean;
  /** Rewrites an object on its way in, as the API server does with a Secret's stringData. */
  readonly admit?: (object: KubeObject) => KubeObject;
  /** What a schema cannot say. `before` is absent on creation. */
  readonly check?: (after: KubeObject, before: KubeObject | undefined) => readonly Issue[];
}

export class Kinds {
  readonly #kinds = new Map<string, Kind>();

  /** Adds a kind or replaces what was known of it. */
  define(kind: Kind): void {
    this.#kinds.set(kindKey(kind.apiVersion, kind.kind), kind);
  }

  /** Adds a kind whose fields nobody described, unless it is known better. */
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
