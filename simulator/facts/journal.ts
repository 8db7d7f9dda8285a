/** What has happened so far: counters, the timeline, violations; listeners also get it live. */
import { type Condition, type ConditionStatus, isManagedReady } from '#lib/api/conditions.ts';
import { type KubeObject, sameJson } from '#lib/api/json.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { conditionsOf } from '../reconcile/conditions.ts';
import { controllerOf, isDeleting, uidOf } from '../store/object.ts';
import { keyOf, type ObjectRef, refOf } from '../store/ref.ts';
import type { Change, Store } from '../store/store.ts';
import { conditionWords } from './condition-words.ts';
import type { CallFacts, EventFacts, Happening, Moment } from './facts.ts';

export type Tally =
  | 'cloudCreated'
  | 'cloudDeleted'
  | 'machinesBooted'
  | 'nodesJoined'
  | 'nodesDrained'
  | 'nodesUpdated'
  | 'nodeUpdatesFailed';

export class Journal {
  readonly #clock: Scheduler;
  readonly #store: Store;
  readonly #listeners = new Set<(happening: Happening) => void>();
  readonly #moments: Moment[] = [];
  readonly #violations = new Set<string>();
  readonly #created = new Map<string, number>();
  readonly #deleted = new Map<string, number>();
  readonly #calls = new Map<string, number>();
  readonly #tallies = new Map<Tally, Map<string, number>>();
  readonly #quiet = new Set<string>();
  #failedCalls = 0;

  constructor(clock: Scheduler, store: Store) {
    this.#clock = clock;
    this.#store = store;
    store.onChange((change) => this.#notice(change));
  }

  subscribe(listener: (happening: Happening) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  event(event: EventFacts): void {
    this.#tell({ type: 'event', at: this.#clock.seconds, event });
  }

  call(xr: ObjectRef, facts: CallFacts): void {
    add(this.#calls, facts.function);
    if (facts.outcome === 'failed') this.#failedCalls++;
    this.#tell({ type: 'call', at: this.#clock.seconds, xr, ...facts });
  }

  /** Adds a line to the timeline. */
  moment(ref: ObjectRef, text: string): void {
    const moment: Moment = { at: this.#clock.seconds, ref, text };
    this.#moments.push(moment);
    this.#tell({ type: 'moment', at: moment.at, moment });
  }

  /** That a managed resource stops being ready adds no line to the timeline. */
  quiet(ref: ObjectRef): void {
    this.#quiet.add(keyOf(ref));
  }

  /** Records something that must never happen. */
  violation(text: string): void {
    this.#violations.add(text);
  }

  count(tally: Tally, kind: string): void {
    const counts = this.#tallies.get(tally) ?? new Map<string, number>();
    add(counts, kind);
    this.#tallies.set(tally, counts);
  }

  get moments(): readonly Moment[] {
    return this.#moments;
  }

  get violations(): readonly string[] {
    return [...this.#violations].toSorted();
  }

  get failedCalls(): number {
    return this.#failedCalls;
  }

  counts(of: 'created' | 'deleted' | 'calls' | Tally): Readonly<Record<string, number>> {
    const maps = { created: this.#created, deleted: this.#deleted, calls: this.#calls };
    const counts = of in maps ? maps[of as keyof typeof maps] : this.#tallies.get(of as Tally);
    return Object.fromEntries([...(counts ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #notice({ type, before, object }: Change): void {
    const ref = refOf(object);
    if (type !== 'changed') add(type === 'created' ? this.#created : this.#deleted, object.kind);
    this.#tell({ type: 'object', at: this.#clock.seconds, change: type, ref });
    const composite = this.#store.kinds.find(object.apiVersion, object.kind)?.composite === true;
    if (composite && type === 'created') this.moment(ref, 'created');
    if (composite && before !== undefined && !isDeleting(object) && isEdited(before, object))
      this.moment(ref, 'edited');
    if (composite && type === 'deleted') this.moment(ref, this.#hasDependents(object) ? GONE_FIRST : 'gone');
    if (composite && before !== undefined && !isDeleting(before) && isDeleting(object))
      this.moment(ref, 'deletion requested');
    if (type !== 'deleted' && before?.status !== object.status) this.#noticeConditions(before, object, composite);
  }

  #hasDependents(object: KubeObject): boolean {
    return this.#store.dependentsOf(uidOf(object)).length > 0;
  }

  /** Whether it is deleted, or will be because its owner is: what it lacks by then is no news. */
  #isGoing(object: KubeObject): boolean {
    if (isDeleting(object)) return true;
    const { uid } = controllerOf(object) ?? {};
    if (uid === undefined) return false;
    const owner = this.#store.withUid(uid);
    return owner === undefined || this.#isGoing(owner);
  }

  #noticeConditions(before: KubeObject | undefined, object: KubeObject, composite: boolean): void {
    const old = before === undefined ? [] : conditionsOf(before);
    const ref = refOf(object);
    const conditions = conditionsOf(object);
    const going = this.#isGoing(object);
    for (const condition of conditions) {
      const past = old.find(({ type }) => type === condition.type);
      if (past?.status === condition.status && past.reason === condition.reason && past.message === condition.message)
        continue;
      const news = { type: 'condition' as const, at: this.#clock.seconds, ref, condition };
      this.#tell(past === undefined ? news : { ...news, before: past });
      if (
        composite &&
        !going &&
        past?.status !== condition.status &&
        isNews(condition, past?.status) &&
        !isEcho(condition, conditions)
      )
        this.moment(ref, conditionWords(condition));
    }
    const isLost = !composite && !going && !this.#quiet.has(keyOf(ref));
    if (isLost && before !== undefined && isManagedReady(before) && !isManagedReady(object))
      this.moment(ref, conditionWords(conditionsOf(object).find(({ status }) => status === 'False')));
  }

  #tell(happening: Happening): void {
    for (const listener of this.#listeners) listener(happening);
  }
}

/** Kubernetes deletes an owner before what it owns. */
const GONE_FIRST = 'gone; what it composed is deleted after it';

/** The user changed the object; changes of Crossplane's own fields do not count. */
function isEdited(before: KubeObject, { spec }: KubeObject): boolean {
  const { crossplane: _before, ...old } = before.spec ?? {};
  const { crossplane: _now, ...now } = spec ?? {};
  return before.spec !== spec && !sameJson(old, now);
}

/** Conditions that start as false are not reported, nor are Crossplane's own conditions. */
function isNews(condition: Condition, before: ConditionStatus | undefined): boolean {
  if (condition.type === 'Responsive') return condition.status === 'False';
  if (condition.type === 'Synced' || condition.type === 'ClaimAccepted')
    return condition.status === 'False' || before === 'False';
  return condition.status === 'True' || before === 'True';
}

/** Crossplane's condition repeats what a function refuses. */
function isEcho({ type, status }: Condition, all: readonly Condition[]): boolean {
  if (type !== 'Synced' || status !== 'False') return false;
  return all.some((one) => one.type === 'ClaimAccepted' && one.status === 'False');
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
