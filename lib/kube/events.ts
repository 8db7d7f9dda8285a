/**
 * Events about objects, in the core API: providers may not write events.k8s.io. The same event again raises its count
 * and is written at most once in a while; an object with ever new events gets only some of them.
 */
import { createHash } from 'node:crypto';
import type { KubeObject } from '#lib/api/json.ts';
import { asMessage } from '#lib/api/shortened.ts';
import type { KubeClient } from './client.ts';
import type { Resource } from './resource.ts';
import type { Timing } from './timing.ts';
import { type Rate, Tokens } from './tokens.ts';

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
/** Of each object: as other clients of Kubernetes do, 25 at once and one every five minutes. */
const RATE: Rate = { perSecond: 1 / 300, burst: 25 };
/** Events that are remembered, and objects; the oldest are forgotten first. */
const MOST = 2000;

interface Known {
  readonly first: string;
  count: number;
  /** Elapsed time; undefined: never. */
  written: number | undefined;
}

export class Events {
  readonly #parts: EventParts;
  readonly #known = new Recent<Known>();
  readonly #tokens = new Recent<Tokens>();
  #dropped = 0;

  constructor(parts: EventParts) {
    this.#parts = parts;
  }

  /** How many were not written because their object had too many. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Never throws: an event that cannot be written is reported to `onError`. */
  async tell(about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> {
    const { timing, client, component, onError } = this.#parts;
    const uid = about.metadata?.uid ?? '';
    const key = createHash('sha256').update([uid, type, reason, message].join('\0')).digest('hex').slice(0, 16);
    const now = stampOf(timing.now());
    const known = this.#known.get(key, () => ({ first: now, count: 0, written: undefined }));
    known.count += 1;
    const elapsed = timing.elapsed();
    if (known.written !== undefined && elapsed - known.written < AGAIN * 1000) return;
    if (!this.#tokens.get(uid, () => new Tokens(timing, RATE)).take()) {
      this.#dropped += 1;
      return;
    }
    known.written = elapsed;
    const told = { type, reason, message: asMessage(message), count: known.count, firstTimestamp: known.first };
    try {
      const event = { ...eventAbout(about, key), ...told, lastTimestamp: now, ...sourceOf(component) };
      await client.apply(EVENTS, event, { manager: component, force: true });
    } catch (thrown) {
      onError(thrown);
    }
  }
}

/** Events about objects without a namespace are in `default`, where `kubectl describe` looks for them. */
function eventAbout({ apiVersion, kind, metadata = {} }: KubeObject, key: string): KubeObject {
  const { uid = '', name = '', namespace, resourceVersion } = metadata;
  const involvedObject = {
    apiVersion,
    kind,
    name,
    uid,
    ...(namespace === undefined ? {} : { namespace }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  const prefix = name.slice(0, 230).replace(/(?<![^a-z0-9])[^a-z0-9]+$/, '');
  return {
    apiVersion: EVENTS.apiVersion,
    kind: EVENTS.kind,
    metadata: { namespace: namespace ?? 'default', name: `${prefix}.${key}` },
    involvedObject,
  };
}

function sourceOf(component: string): Pick<KubeObject, string> {
  return { source: { component }, reportingComponent: component, reportingInstance: '' };
}

function stampOf(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Values by key; the one that was not used for longest is forgotten first. */
class Recent<Value> {
  readonly #values = new Map<string, Value>();

  get(key: string, make: () => Value): Value {
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > MOST && oldest !== undefined) this.#values.delete(oldest);
    return value;
  }
}
