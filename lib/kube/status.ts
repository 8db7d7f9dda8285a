/**
 * The status of an object, as one of several writers: conditions and fields of others stay as they are, and nothing is
 * sent when nothing changed. Server-side apply does the first; the condition list has to be a map by type.
 */
import type { Condition } from '#lib/api/conditions.ts';
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, sameJson, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from './client.ts';
import { KubeRefusal } from './refusal.ts';
import type { Resource } from './resource.ts';
import type { Timing } from './timing.ts';

/** All that one writer says: what it said before and leaves out now is removed. */
export interface Report {
  readonly conditions: readonly Condition[];
  /** Types of conditions that it may have set before, and that are gone now. */
  readonly without?: readonly string[];
  /** Other fields of the status. Undefined: it may have been set before, and is gone now. */
  readonly fields?: Readonly<Record<string, Json | undefined>>;
}

export interface StatusPlan {
  /** Phase: a condition has another status or reason, or is about another generation; Detail: something else changed. */
  readonly change: 'None' | 'Detail' | 'Phase';
  /** To be applied. */
  readonly status: JsonObject;
}

/** @param now  milliseconds since 1970, for conditions whose status changes */
export function planStatus(
  object: KubeObject,
  { conditions, without = [], fields = {} }: Report,
  now: number,
): StatusPlan {
  const known = listOf(object);
  const stamp = `${new Date(now).toISOString().slice(0, 19)}Z`;
  const generation = object.metadata?.generation;
  const planned = conditions.map((condition) => entryOf(condition, known, generation, stamp));
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const isPhase =
    planned.some((entry) => !isSamePhase(entry, known.get(entry.type))) || without.some((type) => known.has(type));
  const isDetail =
    planned.some((entry) => !sameJson(entry, known.get(entry.type))) ||
    Object.entries(fields).some(([name, value]) => !sameJson(value, at(object, 'status', name)));
  return { change: isPhase ? 'Phase' : isDetail ? 'Detail' : 'None', status: { ...given, conditions: planned } };
}

type Entry = JsonObject & { readonly type: string };

function entryOf(
  { type, status, reason, message }: Condition,
  known: ReadonlyMap<string, JsonObject>,
  generation: number | undefined,
  stamp: string,
): Entry {
  const before = known.get(type);
  const since = at(before, 'status') === status ? stringAt(before, 'lastTransitionTime') : undefined;
  return {
    type,
    status,
    reason,
    ...(message === undefined ? {} : { message }),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime: since ?? stamp,
  };
}

function isSamePhase(entry: JsonObject, before: JsonObject | undefined): boolean {
  return (['status', 'reason', 'observedGeneration'] as const).every((field) => at(before, field) === entry[field]);
}

function listOf(object: KubeObject): ReadonlyMap<string, JsonObject> {
  const list = at(object, 'status', 'conditions');
  const entries = Array.isArray(list) ? list.filter(isJsonObject) : [];
  return new Map(entries.map((entry) => [stringAt(entry, 'type') ?? '', entry]));
}

export interface StatusParts {
  readonly client: KubeClient;
  readonly timing: Timing;
  readonly resource: Resource;
  /** Field manager. */
  readonly manager: string;
}

/** Seconds between two writes of details of one object: every write costs those who watch it. */
const PACE = 10;

interface Written {
  /** Elapsed time. */
  readonly at: number;
  /** The version of the object that was read before. */
  readonly version: string | undefined;
  readonly result: KubeObject;
}

export class StatusWriter {
  readonly #parts: StatusParts;
  /** By uid, the oldest first. */
  readonly #written = new Map<string, Written>();

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /**
   * Writes what changed. The result: seconds after which it has to be called again, because only details changed and the
   * last write was just now. Throws what the client throws; `isStale` when another object has its name now.
   */
  async write(object: KubeObject, report: Report): Promise<number | undefined> {
    const { timing } = this.#parts;
    const { uid = '', resourceVersion } = object.metadata ?? {};
    const last = this.#written.get(uid);
    // What was read may be from before the last write.
    const newest = last !== undefined && last.version === resourceVersion ? last.result : object;
    const { change, status } = planStatus(newest, report, timing.now());
    if (change === 'None') return undefined;
    const left = last === undefined ? 0 : PACE - (timing.elapsed() - last.at) / 1000;
    if (change === 'Detail' && left > 0) return left;
    const result = await this.#applied(newest, status).catch((thrown: unknown) => this.#again(thrown, newest, report));
    this.#remember(uid, { at: timing.elapsed(), version: resourceVersion, result });
    return undefined;
  }

  /** API servers do not compare the uid below `status`, so the version has to say that it is the same object. */
  #applied({ metadata = {} }: KubeObject, status: JsonObject): Promise<KubeObject> {
    const { client, resource, manager } = this.#parts;
    const { name = '', namespace, resourceVersion } = metadata;
    const identity = {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    const object = { apiVersion: resource.apiVersion, kind: resource.kind, metadata: identity, status };
    return client.apply(resource, object, { manager, subresource: 'status', force: true });
  }

  /** Others wrote in between: that is no reason to wait, if it is still the same object. */
  async #again(thrown: unknown, { metadata = {} }: KubeObject, report: Report): Promise<KubeObject> {
    if (!KubeRefusal.has(thrown, 409)) throw thrown;
    const { client, resource, timing } = this.#parts;
    const { name = '', namespace, uid } = metadata;
    const fresh = await client.get(resource, { name, namespace });
    if (fresh.metadata?.uid !== uid) throw thrown;
    const { change, status } = planStatus(fresh, report, timing.now());
    return change === 'None' ? fresh : this.#applied(fresh, status);
  }

  #remember(uid: string, written: Written): void {
    this.#written.delete(uid);
    this.#written.set(uid, written);
    for (const [oldest, { at }] of this.#written) {
      if (written.at - at < KEPT * 1000) break;
      this.#written.delete(oldest);
    }
  }
}

/** Seconds that a write is remembered. */
const KEPT = 60;
