/** Whether a simulation has come to its end without being Ready: something is refused, and nothing moves any more. */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { API_VERSION, CONDITION } from '#lib/api/words.ts';
import { type Engine, type EventFacts, FIRST_BOOT, type ObjectRef } from '#simulator/engine.ts';
import { isMissing, isWithoutHosts } from './missing.ts';

/** Virtual seconds without a change: longer than any pause of the simulated cloud. */
const QUIET = 600;
/** The same, where no machine and no network is under way. */
const SETTLED = 60;

/** What is watched of an engine. */
export type Watched = Pick<Engine, 'seconds' | 'subscribe' | 'get' | 'list'>;

/**
 * Watches an engine. The answer is cheap enough to ask at every step.
 * @param busyUntil second of the last change or fault that is still to come
 */
export function watchStuck(
  engine: Watched,
  busyUntil: number,
): { readonly isStuck: () => boolean; readonly end: () => void } {
  let changed = 0;
  let asked = 0;
  let settledAt = 0;
  const boots = new RefusedBoots(engine);
  const end = engine.subscribe((happening) => {
    if (happening.type === 'condition' || (happening.type === 'object' && !isOwnStatus(happening)))
      changed = happening.at;
    if (happening.type === 'object' && happening.change === 'created') boots.made(happening.ref, happening.at);
    if (happening.type === 'event' && boots.notice(happening.event, busyUntil)) changed = happening.at;
  });
  return {
    isStuck() {
      if (boots.isRepeated) return true;
      const since = Math.max(changed, busyUntil);
      const isDue = boots.isAny() && engine.seconds - Math.max(since, settledAt) >= SETTLED;
      if (isDue) settledAt = engine.seconds;
      if (isDue && boots.isLast(busyUntil) && isSettled(engine, boots)) return true;
      if (engine.seconds - Math.max(since, asked) < QUIET) return false;
      asked = engine.seconds;
      return isRefused(engine) || boots.isAny();
    },
    end,
  };
}

/**
 * Whether an XR was written again. What is new of it is told as a condition, or as an object that it composes; and one
 * whose function refuses it gets the same status in two writes, time and again.
 */
function isOwnStatus({
  change,
  ref,
}: {
  readonly change: string;
  readonly ref: { readonly apiVersion: string };
}): boolean {
  return change === 'changed' && ref.apiVersion === API_VERSION;
}

/** Machines that refused their first-boot data. Those that replace them get the same. */
class RefusedBoots {
  readonly #engine: Watched;
  readonly #events: EventFacts[] = [];
  readonly #made = new Map<string, number>();
  /** Whether a machine that replaces another refuses for the same reason. */
  isRepeated = false;

  constructor(engine: Watched) {
    this.#engine = engine;
  }

  made(ref: ObjectRef, at: number): void {
    this.#made.set(keyOf(ref), at);
  }

  /**
   * One that was created before the last change took effect says nothing of those that come after it, and nor does one
   * that follows a control plane to another version later.
   * @param busyUntil second of the last change or fault that is still to come
   * @returns whether it is about a refusal
   */
  notice(event: EventFacts, busyUntil: number): boolean {
    if (event.reason !== FIRST_BOOT.refused) return false;
    const isLast = this.#isAfter(event, busyUntil) && !this.#isVersionToCome();
    this.isRepeated ||=
      isLast && this.#events.some((before) => before.message === event.message && !this.#exists(before));
    this.#events.push(event);
    return true;
  }

  /** Whether a machine that exists refuses what every later one gets, too. */
  isLast(busyUntil: number): boolean {
    const last = this.#events.some((event) => this.#exists(event) && this.#isAfter(event, busyUntil));
    return last && !this.#isVersionToCome();
  }

  /** Whether the machine that composed it has nothing more to come. */
  refused({ metadata }: KubeObject): boolean {
    return this.#events.some(
      ({ ref }) =>
        this.#engine.get(ref) !== undefined && ref.namespace === metadata?.namespace && ref.name === metadata?.name,
    );
  }

  #isAfter({ ref }: EventFacts, time: number): boolean {
    return (this.#made.get(keyOf(ref)) ?? 0) >= time;
  }

  #isVersionToCome(): boolean {
    return this.#engine.list({ apiVersion: API_VERSION, kind: 'Cluster' }).some((cluster) => {
      const runs = stringAt(cluster, 'status', 'controlPlane', 'version');
      return runs !== undefined && runs !== stringAt(cluster, 'spec', 'version');
    });
  }

  isAny(): boolean {
    return this.#events.some((event) => this.#exists(event));
  }

  #exists({ ref }: EventFacts): boolean {
    return this.#engine.get(ref) !== undefined;
  }
}

function keyOf({ kind, namespace = '', name }: ObjectRef): string {
  return [kind, namespace, name].join('/');
}

const isTrue = (xr: KubeObject, type: string): boolean => conditionOf(xr, type)?.status === 'True';

/** Whether every network is there, and every machine is a node or never will be. */
function isSettled(engine: Watched, boots: RefusedBoots): boolean {
  const all = (kind: string): readonly KubeObject[] => engine.list({ apiVersion: API_VERSION, kind });
  return (
    all('Cluster').every((cluster) => isTrue(cluster, CONDITION.infrastructureReady)) &&
    all('Machine').every((machine) => isTrue(machine, 'Ready') || boots.refused(machine))
  );
}

/** Whether the author of a claim has to act: it is refused, fails, or refers to what is not there. */
function isRefused(engine: Watched): boolean {
  return ['Cluster', 'NodePool', 'Machine']
    .flatMap((kind) => engine.list({ apiVersion: API_VERSION, kind }))
    .some((xr) => {
      const conditions = at(xr, 'status', 'conditions');
      return Array.isArray(conditions) && conditions.some(isFinal);
    });
}

function isFinal(condition: unknown): boolean {
  if (stringAt(condition, 'status') === 'True') return false;
  const refuses = ['ClaimAccepted', 'Synced'].includes(stringAt(condition, 'type') ?? '');
  const message = stringAt(condition, 'message') ?? '';
  return refuses || isMissing(message) || isWithoutHosts(message);
}
