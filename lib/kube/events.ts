/**
 * Events about objects, in the core API: providers may not write events.k8s.io. The same event again raises its count
 * and is written at most once in a while.
 */
import { createHash } from 'node:crypto';
import type { KubeObject } from '#lib/api/json.ts';
import type { KubeClient } from './client.ts';
import type { Resource } from './resource.ts';
import type { Timing } from './timing.ts';

export const EVENTS: Resource = { apiVersion: 'v1', kind: 'Event', plural: 'events', namespaced: true };

export interface EventParts {
  readonly client: KubeClient;
  readonly timing: Timing;
  /** Who reports: shown as the source. */
  readonly component: string;
  readonly onError: (thrown: unknown) => void;
}

/** Seconds between writes of the same event. */
const AGAIN = 60;
/** Events that are remembered; the oldest are forgotten first. */
const MOST = 2000;
const LONGEST = 1024;

interface Known {
  readonly first: string;
  readonly count: number;
  readonly written: number;
}

export class Events {
  readonly #parts: EventParts;
  readonly #known = new Map<string, Known>();

  constructor(parts: EventParts) {
    this.#parts = parts;
  }

  /** Never throws: an event that cannot be written is reported to `onError`. */
  async tell(about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> {
    const { timing, client, component, onError } = this.#parts;
    const { uid = '', name = '', namespace = 'default' } = about.metadata ?? {};
    const key = createHash('sha256').update([uid, type, reason, message].join('\0')).digest('hex').slice(0, 16);
    const now = timing.now();
    const stamp = `${new Date(now).toISOString().slice(0, 19)}Z`;
    const before = this.#known.get(key);
    const known: Known = { first: before?.first ?? stamp, count: (before?.count ?? 0) + 1, written: now };
    if (before !== undefined && now - before.written < AGAIN * 1000) {
      this.#remember(key, { ...known, written: before.written });
      return;
    }
    this.#remember(key, known);
    const event: KubeObject = {
      apiVersion: EVENTS.apiVersion,
      kind: EVENTS.kind,
      metadata: { namespace, name: `${name.slice(0, 230)}.${key}` },
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name,
        namespace,
        uid,
        ...(about.metadata?.resourceVersion === undefined ? {} : { resourceVersion: about.metadata.resourceVersion }),
      },
      type,
      reason,
      message: message.slice(0, LONGEST),
      count: known.count,
      firstTimestamp: known.first,
      lastTimestamp: stamp,
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
    };
    try {
      await client.apply(EVENTS, event, { manager: component, force: true });
    } catch (thrown) {
      onError(thrown);
    }
  }

  #remember(key: string, known: Known): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }
}
