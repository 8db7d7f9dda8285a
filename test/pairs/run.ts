/** One life: rounds of edits on the simulated cloud, judged at every change and whenever it has come to rest. */
import { isCompositeReady } from '#lib/api/conditions.ts';
import { at, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import type { Engine, EventFacts } from '#simulator/engine.ts';
import { differentIn, neverSilent, saidBy, waitingPools } from './end.ts';
import {
  type Act,
  type Claims,
  claimsAfter,
  claimsOf,
  CLUSTER,
  CONTROL_PLANE,
  type Life,
  POOL,
  type Round,
} from './life.ts';
import { type Forecast, forecastOf } from './forecast.ts';
import { applyPart, applyPlatform, aScene, deletedBy, type Part, PARTS, partRef } from './scene.ts';
import { type Edit, isRefused, isThere, keepsVersion, secondOf } from './verdict.ts';
import { Watch } from './watch.ts';

/** Seconds without a write: longer than Crossplane waits until it calls for an object that follows others again. */
const QUIET = 130;
/** The same of every object: nobody tells of what the platform changes. */
const UNTOLD = 700;
const CREATED_WITHIN = 3600;
const SETTLED = 130;
/** Within which a function has accepted or refused an edit. */
const JUDGED = 60;
/** For everything that one round causes. */
const LIMIT = 4 * 3600;

export interface Outcome {
  /** The first violations, in lines; empty: none. */
  readonly broken: readonly string[];
  readonly log: readonly string[];
}

export function few(lines: readonly string[]): string {
  return lines.length === 0 ? 'nothing' : [...lines.slice(0, 4), ...(lines.length > 4 ? ['…'] : [])].join(', ');
}

export class Run {
  readonly log: string[] = [];
  readonly refused: string[] = [];
  readonly broken: string[] = [];
  /** Whether a refused edit pauses as well: then nothing is done until it is mended. */
  pauses = false;
  readonly #life: Life;
  readonly #skipped: ReadonlySet<string>;
  readonly #engine: Engine;
  readonly #watch: Watch;
  #claims: Claims;
  /** What was accepted last. */
  #accepted: Claims;

  constructor(life: Life, skipped: ReadonlySet<string>) {
    this.#life = life;
    this.#skipped = skipped;
    this.#claims = this.#accepted = claimsOf(life);
    this.#engine = aScene(life.seed, this.#claims);
    this.#watch = new Watch(this.#engine);
  }

  get #isBroken(): boolean {
    return this.broken.length > 0;
  }

  async go(): Promise<void> {
    const { early, rounds } = this.#life;
    if (early === undefined) await this.#begin();
    else await this.#pass(early);
    for (const [index, round] of rounds.entries()) {
      if (this.#isBroken) break;
      await this.#round(round, index, index === 0 && early !== undefined);
    }
    const { violations } = this.#engine.snapshot();
    this.broken.splice(0, Infinity, ...new Set([...this.broken, ...violations]));
    const told = this.#engine.snapshot().timeline.map(({ at, ref, text }) => `${at} ${ref.kind} ${ref.name} ${text}`);
    const all = [...told, ...this.#watch.events.map(eventLine), ...this.log].toSorted(
      (a, b) => Number.parseFloat(a) - Number.parseFloat(b),
    );
    this.log.splice(0, Infinity, ...all);
  }

  /** Every write, with the specs at the end. */
  written(): readonly string[] {
    const specs = ['Machine', 'NodePool'].flatMap((kind) =>
      this.#engine.list({ ...CLUSTER, kind }).flatMap((object) => (kind === 'Machine' ? [specLine(object)] : [])),
    );
    const counts = Map.groupBy(
      this.#watch.writes.filter(({ change }) => change !== 'changed'),
      ({ change, ref }) => `${change} ${ref.kind} ${ref.name}`,
    );
    return [...[...counts].map(([line, all]) => (all.length === 1 ? line : `${line} ${all.length} times`)), ...specs];
  }

  async #begin(): Promise<void> {
    const isUp = (): boolean =>
      ['Cluster', 'NodePool', 'Machine'].every((kind) =>
        this.#engine.list({ ...CLUSTER, kind }).every(isCompositeReady),
      );
    const { reached } = await this.#engine.runUntil(isUp, { limitSeconds: CREATED_WITHIN });
    if (!reached) this.broken.push('the cluster does not become Ready');
    await this.#pass(SETTLED);
    this.#watch.isUp = true;
  }

  async #round(round: Round, index: number, isEarly: boolean): Promise<void> {
    const beginning = { since: this.#engine.seconds, before: waitingPools(this.#engine) };
    let open: readonly Edit[] = [];
    let forecast: Forecast | undefined;
    let stored: readonly Part[] = [];
    let since = this.#watch.writes.length;
    for (const [number, act] of round.entries()) {
      await this.#pass(act.after);
      const before = this.#claims;
      const after = claimsAfter(before, act);
      const edited = PARTS.filter((part) => act.deletes === part || !sameJson(before[part], after[part]));
      open = this.#judgeEdits(open, edited, since);
      const key = `${index + 1}.${number + 1}`;
      since = this.#watch.writes.length;
      this.log.push(`${this.#engine.seconds} ${index + 1}.${number + 1}: ${JSON.stringify(act)}`);
      this.#watch.turn();
      if (number === round.length - 1 && this.#skipped.size === 0) {
        const isAlone = round.length === 1 && !isEarly;
        forecast = await forecastOf(this.#engine, this.#watch, { act, after, isAlone });
      }
      open = [...open, ...this.#perform(act, after, key, number === 0 && !isEarly)];
      stored = PARTS.filter((part) => sameJson(this.#claims[part], after[part]));
    }
    await this.#rest(isUntold(round));
    this.#watch.isUp = true;
    for (const ref of [CLUSTER, CONTROL_PLANE, POOL])
      this.log.push(
        ...saidBy(this.#engine.get(ref)).map(
          (line) => `${this.#engine.seconds} round ${index + 1} rests: ${ref.kind} ${ref.name}: ${line}`,
        ),
      );
    this.#judgeEdits(open, PARTS, since);
    this.broken.push(...this.#watch.broken);
    if (this.#skipped.size === 0 && !this.#isBroken) {
      this.broken.push(...neverSilent(this.#engine, this.#watch, beginning));
      if (forecast !== undefined) this.broken.push(...forecast.differences(stored));
    }
    await this.#takeBack(isUntold(round));
  }

  /** @returns what it edits of claims */
  #perform(act: Act, after: Claims, key: string, isFirst: boolean): readonly Edit[] {
    const engine = this.#engine;
    const before = this.#claims;
    applyPlatform(engine, before, after);
    const edits: Edit[] = [];
    const kept = { ...after };
    for (const part of PARTS) {
      const id = `${key} ${part}`;
      const isNew = engine.get(partRef(part)) === undefined && act[part] !== undefined;
      if ((sameJson(before[part], after[part]) && !isNew) || this.#skipped.has(id)) continue;
      if (applyPart(engine, part, after[part]))
        edits.push({ key: id, part, isAlone: isFirst && isOnly(act, part), at: engine.seconds });
      else kept[part] = before[part];
    }
    const gone = deletedBy(engine, act.deletes);
    if (gone !== undefined) {
      if (gone.kind === 'Machine') this.#watch.deleted(gone);
      engine.delete(gone);
    }
    this.#claims = kept;
    return edits;
  }

  /** Decides which edits were refused, once the next act edits the same claim or everything is at rest. */
  #judgeEdits(open: readonly Edit[], edited: readonly Part[], since: number): readonly Edit[] {
    const isOver = ({ part }: Edit): boolean => edited.includes(part);
    for (const edit of open.filter(isOver)) {
      // No verdict: it was too short, and what follows may be refused for it, or the claim is deleted.
      if (this.#engine.seconds - edit.at < JUDGED || !isThere(this.#engine, edit)) continue;
      if (!isRefused(this.#engine, edit.part)) {
        this.#accepted = { ...this.#accepted, [edit.part]: this.#claims[edit.part] };
        continue;
      }
      this.refused.push(edit.key);
      this.pauses ||= at(this.#claims[edit.part], 'paused') === true;
      const written = this.#watch.writes.slice(since);
      if (edit.isAlone && written.length > 0)
        this.broken.push(
          `what is refused (${edit.key}) changes something: ${few(written.map(({ change, ref }) => `${change} ${ref.kind} ${ref.name}`))}`,
        );
    }
    // What is written after the next act may be because of it.
    return open.filter((edit) => !isOver(edit)).map((edit) => ({ ...edit, isAlone: false }));
  }

  /** Whoever made an edit that is refused takes it back; the platform restores what it took away. */
  async #takeBack(wasUntold: boolean): Promise<void> {
    const before = this.#claims;
    const { platform, limits } = claimsOf(this.#life);
    const pool = { ...this.#accepted.pool, paused: false };
    const cluster = { ...this.#accepted.cluster, paused: false };
    const after = { platform, limits, cluster, pool };
    this.#watch.turn();
    applyPlatform(this.#engine, before, after);
    for (const part of PARTS) applyPart(this.#engine, part, after[part]);
    this.#claims = this.#accepted = after;
    await this.#rest(wasUntold);
    await this.#deleteOutdated();
    this.broken.push(...this.#watch.broken);
    for (const part of PARTS)
      if (isRefused(this.#engine, part))
        this.broken.push(`the ${part} that was accepted is refused after an edit was taken back`);
    const unready = ['Cluster', 'NodePool', 'Machine'].flatMap((kind) =>
      this.#engine
        .list({ ...CLUSTER, kind })
        .filter((one) => !isCompositeReady(one) && !keepsVersion(this.#engine, one)),
    );
    if (unready.length > 0)
      this.broken.push(
        `not Ready again after every edit was accepted or taken back: ${unready.map((one) => `${one.kind} ${one.metadata?.name}`).join(', ')}`,
      );
  }

  /** A pool with `strategy: OnDelete` asks people to delete the machines that are not as claimed. */
  async #deleteOutdated(): Promise<void> {
    if (at(this.#claims.pool, 'update', 'strategy') !== 'OnDelete' || this.#engine.get(POOL) === undefined) return;
    for (const { metadata } of differentIn(this.#engine, POOL.name)) {
      const ref = { ...CLUSTER, kind: 'Machine', name: metadata?.name ?? '' };
      this.#watch.deleted(ref);
      this.#engine.delete(ref);
      await this.#rest();
    }
  }

  async #pass(seconds: number): Promise<void> {
    await this.#engine.runUntil(() => false, { limitSeconds: this.#engine.seconds + seconds });
  }

  /** Until nothing is written any more. */
  async #rest(isUntold = false): Promise<void> {
    const engine = this.#engine;
    // Restarts that the claims ask for come first, each an act of its own.
    const restarts = PARTS.map((part) =>
      secondOf(engine, stringAt(this.#claims[part], 'update', 'rolloutAfter') ?? ''),
    );
    for (const ripe of restarts.filter((one) => one > engine.seconds).toSorted((a, b) => a - b)) {
      await this.#pass(ripe - engine.seconds);
      this.#watch.turn();
    }
    const begun = engine.seconds;
    const quiet = isUntold ? UNTOLD : QUIET;
    const { reached } = await engine.runUntil(() => engine.seconds - Math.max(this.#watch.lastWrite, begun) >= quiet, {
      limitSeconds: begun + LIMIT,
    });
    if (reached) return;
    const last = this.#watch.writes.slice(-4).map(({ change, ref }) => `${change} ${ref.kind} ${ref.name}`);
    this.broken.push(`it does not come to rest in ${LIMIT / 3600} hours: ${last.join(', ')} came last`);
  }
}

function eventLine({ last, ref, reason, message }: EventFacts): string {
  return `${last} ${ref.kind} ${ref.name}: event ${reason}: ${message}`;
}

function isUntold(round: Round): boolean {
  return round.some(({ platform, limits }) => platform !== undefined || limits !== undefined);
}

function isOnly({ cluster, pool, platform, limits, deletes }: Act, part: Part): boolean {
  const other = part === 'cluster' ? pool : cluster;
  return [other, platform, limits, deletes].every((one) => one === undefined);
}

function specLine({ metadata, spec }: KubeObject): string {
  const { update: _update, crossplane: _crossplane, ...rest } = spec ?? {};
  return `Machine ${metadata?.name} is ${JSON.stringify(rest)}`;
}
