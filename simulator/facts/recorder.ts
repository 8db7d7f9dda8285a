/** Kubernetes events of all controllers; repeated ones are counted. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { keyOf, refOf } from '../store/ref.ts';
import type { EventFacts } from './facts.ts';

export class Recorder {
  readonly #clock: Scheduler;
  readonly #events = new Map<string, EventFacts>();
  readonly #listener: (event: EventFacts) => void;

  constructor(clock: Scheduler, listener: (event: EventFacts) => void) {
    this.#clock = clock;
    this.#listener = listener;
  }

  event(object: KubeObject, severity: EventFacts['severity'], reason: string, message: string): void {
    const ref = refOf(object);
    const key = [keyOf(ref), severity, reason, message].join('\0');
    const now = this.#clock.seconds;
    const known = this.#events.get(key);
    const event: EventFacts =
      known === undefined
        ? { ref, severity, reason, message, count: 1, first: now, last: now }
        : { ...known, count: known.count + 1, last: now };
    this.#events.delete(key); // moved to the end: the most recent is last
    this.#events.set(key, event);
    this.#listener(event);
  }

  get events(): readonly EventFacts[] {
    return [...this.#events.values()];
  }
}
