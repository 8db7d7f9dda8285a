/**
 * All data that was readable during a simulation for users who may read no Secrets: every version of every object,
 * conditions, events, results, and other output. Each text is stored once, with the places where it occurred.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';
import { foundIn, secretsOf } from './findings.ts';

export class Sightings {
  readonly #places = new Map<string, Set<string>>();
  readonly #secrets = new Map<string, Set<string>>();

  constructor(engine: Engine) {
    engine.subscribe((happening) => {
      if (happening.type === 'object') this.#object(engine.get(happening.ref));
      else if (happening.type === 'call') this.note('result', happening.message);
      else this.note(happening.type, happening);
    });
  }

  #object(object: KubeObject | undefined): void {
    if (object === undefined) return;
    if (object.apiVersion !== 'v1' || object.kind !== 'Secret') return this.note(object.kind, object);
    for (const secret of secretsOf(object)) {
      const names = this.#secrets.get(secret) ?? new Set();
      this.#secrets.set(secret, names.add(object.metadata?.name ?? ''));
    }
  }

  /** @param place  a kind of object, or other output; the path of each text within is added */
  note(place: string, value: unknown): void {
    if (typeof value === 'string') return this.#text(place, value);
    if (Array.isArray(value)) return value.forEach((item) => this.note(`${place}[]`, item));
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      this.#text(place, key);
      this.note(`${place}.${key}`, child);
    }
  }

  #text(place: string, text: string): void {
    const places = this.#places.get(text) ?? new Set();
    this.#places.set(text, places.add(place));
  }

  /** Places that were searched. */
  get places(): ReadonlySet<string> {
    return new Set([...this.#places.values()].flatMap((places) => [...places]));
  }

  /** Names of the Secrets that were created. */
  get secrets(): ReadonlySet<string> {
    return new Set([...this.#secrets.values()].flatMap((names) => [...names]));
  }

  /** Which places contain data of which Secrets, without the data. */
  get leaks(): readonly string[] {
    const secrets = [...this.#secrets.keys()];
    const leaks = [...this.#places].flatMap(([text, places]) =>
      foundIn(text, secrets).flatMap((secret) =>
        [...places].map((place) => `${place}: ${[...(this.#secrets.get(secret) ?? [])].join(', ')}`),
      ),
    );
    return [...new Set(leaks)].toSorted();
  }
}
