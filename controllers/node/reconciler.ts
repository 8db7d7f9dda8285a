/** One pass over one WorkloadNode: decide, act, look again, until there is a verdict; then its status is written. */
import { messageOf } from '#lib/api/errors.ts';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { Events } from '#lib/kube/events.ts';
import { KubeRefusal, isStale, Unreachable } from '#lib/kube/refusal.ts';
import { notSynced } from '#lib/api/conditions.ts';
import { decide } from '#lib/node/decide.ts';
import { FINALIZER } from '#lib/node/leaving.ts';
import type { Again, Report, Tell, Verdict } from '#lib/node/decision.ts';
import type { NodeSituation } from '#lib/node/situation.ts';
import { MANAGER, WORKLOAD_NODES } from './kinds.ts';
import { Performance, type PerformanceParts } from './performance.ts';
import { withReport } from '#lib/node/status.ts';
import { QUIET, worthOf } from './worth.ts';

export interface ReconcilerParts extends PerformanceParts {
  readonly events: Events;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
  /** Seconds until the next look when nothing asks for an earlier one. @default 600 */
  readonly poll?: number;
  /** Its status was written. */
  readonly onReport?: (before: KubeObject, after: KubeObject) => void;
  /** Its finalizer was dropped. */
  readonly onRelease?: (object: KubeObject) => void;
}

/** A pass that takes more actions than this is a defect, not work. */
const MOST = 500;
/** Seconds. Whatever no watch tells is found by then. */
const POLL = 600;

export class Reconciler {
  readonly #parts: ReconcilerParts;
  /** By uid: when words were last written, as `Timing.elapsed`. */
  readonly #wrote = new Map<string, number>();
  /** By uid: a write that may have happened without an answer. What was read before it says nothing about the status. */
  readonly #unanswered = new Set<string>();

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  /**
   * Returns seconds until the next pass; undefined: the object is gone. Throws when it has to be tried again.
   */
  async reconcile(object: KubeObject): Promise<number | undefined> {
    const { timing, log, world } = this.#parts;
    const performance = new Performance(this.#parts);
    let situation: NodeSituation = { object, now: timing.now() };
    try {
      for (let actions = 0; actions < MOST; actions += 1) {
        const decision = decide(situation);
        if ('end' in decision) return await this.#conclude(situation.object, decision.end);
        const { why, ...action } = decision.next;
        if (action.do !== 'Look') log(`${action.do}: ${why}`, about(object));
        situation = await performance.perform(decision.next, situation);
      }
      throw new Error('a pass does not come to an end');
    } catch (thrown) {
      if (KubeRefusal.has(thrown, 404)) return 1; // the object or its Node went in the meantime
      if (isStale(thrown)) return 1; // it changed in the meantime; its watch has told by then
      const config = world.configOf(object);
      if (KubeRefusal.has(thrown, 401) && config !== undefined) this.#parts.clusters.distrust(config);
      await this.#reportFailure(situation.object, thrown);
      throw thrown;
    }
  }

  forget(uid: string): void {
    this.#wrote.delete(uid);
    this.#unanswered.delete(uid);
  }

  async #conclude(object: KubeObject, verdict: Verdict): Promise<number | undefined> {
    const { report, release, again, tell = [] } = verdict;
    const { left, latest } = report === undefined ? { left: 0, latest: object } : await this.#report(object, report);
    const { client } = this.#parts;
    for (const one of tell) await this.#tell(object, one);
    if (release === undefined) return this.#next(again, left);
    if (release.undrained !== undefined)
      await this.#tell(object, {
        type: 'Warning',
        reason: 'NotDrained',
        message: `the Node was let go without a drain: ${release.undrained}`,
      });
    const { namespace, name = '', resourceVersion, finalizers = [] } = latest.metadata ?? {};
    const patch = { metadata: { resourceVersion, finalizers: finalizers.filter((one) => one !== FINALIZER) } };
    await client.patch(WORKLOAD_NODES, { namespace, name }, patch, { manager: MANAGER });
    this.#parts.onRelease?.(object);
    return undefined;
  }

  #next({ due = Infinity, poll = this.#parts.poll ?? POLL }: Again, left: number): number {
    return Math.max(1, Math.min(due, poll, left === 0 ? Infinity : left));
  }

  /** `left`: seconds until it has to be written; 0 when it is. */
  async #report(object: KubeObject, report: Report): Promise<{ readonly left: number; readonly latest: KubeObject }> {
    const { client, timing } = this.#parts;
    const { namespace, name = '', uid = '' } = object.metadata ?? {};
    const after = withReport(object, report, timing.now());
    const worth = worthOf(object, after);
    if (worth === 'None' && !this.#unanswered.has(uid)) return { left: 0, latest: object };
    const last = this.#wrote.get(uid);
    const quiet = last === undefined ? 0 : QUIET - (timing.elapsed() - last) / 1000;
    if (worth === 'Soon' && quiet > 0) return { left: quiet, latest: object };
    const what = `report on WorkloadNode "${namespace}/${name}"`;
    const write = { manager: MANAGER, subresource: 'status' };
    this.#unanswered.add(uid);
    const written = await client.put(WORKLOAD_NODES, { namespace, name }, write, after, what);
    this.#unanswered.delete(uid);
    const latest = { ...after, metadata: { ...after.metadata, ...(at(written, 'metadata') as JsonObject) } };
    this.#wrote.set(uid, timing.elapsed());
    this.#parts.onReport?.(object, latest);
    return { left: 0, latest };
  }

  async #tell(object: KubeObject, { type, reason, message }: Tell): Promise<void> {
    await this.#parts.events.tell(object, type, reason, message);
  }

  async #reportFailure(object: KubeObject, thrown: unknown): Promise<void> {
    const { log } = this.#parts;
    const message = messageOf(thrown);
    log(message, { ...about(object), isDefect: !(thrown instanceof KubeRefusal || thrown instanceof Unreachable) });
    try {
      await this.#report(object, { status: {}, conditions: [notSynced(message)] });
      await this.#tell(object, { type: 'Warning', reason: 'CannotObserveExternalResource', message });
    } catch (second) {
      log(messageOf(second), about(object));
    }
  }
}

function about({ metadata }: KubeObject): Readonly<Record<string, unknown>> {
  return { namespace: metadata?.namespace, name: metadata?.name };
}
