/** Lines for people: the same change of many objects is one row; rows are grouped by claim. */
import { counted } from '#lib/api/counted.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { placesText } from '../files/place.ts';
import { consequencesOf } from './consequences.ts';
import type { PlanEntry, Summary } from './entry.ts';

export interface Row {
  readonly decision: string;
  readonly who: string;
  readonly field: string;
  /** `"a" → "b"`; empty where it is about objects as a whole, and where neither value is known. */
  readonly change: string;
  readonly why: string;
  readonly blockedBy: string;
  /** Where what is refused is written. */
  readonly written: string;
  readonly held: boolean;
}

export interface Section {
  /** `NodePool prod-general (team-a)` */
  readonly title: string;
  readonly rows: readonly Row[];
  /** What it means for machines. */
  readonly consequences: readonly string[];
}

/**
 * In the order of the entries. A replacement is shown with the machine that it replaces, if that one is shown as
 * replaced.
 */
export function sectionsOf(entries: readonly PlanEntry[], names: number): readonly Section[] {
  const replaced = new Set(entries.filter(({ decision }) => decision === 'Recreate').map(({ name }) => name));
  const shown = entries.filter(
    ({ name, decision, succeeds }) => !replaced.has(succeeds ?? '') && !(decision === 'Drop' && replaced.has(name)),
  );
  const all = Map.groupBy(entries, titleOf);
  const sections = [...Map.groupBy(shown, titleOf)];
  // Pools of which the same is said are one section, such as those of a Cluster that is refused.
  return [...Map.groupBy(sections, ([title, lines]) => waitingAlike(lines) ?? title).values()].flatMap((same) =>
    same.slice(0, 1).map(([title, lines]) => {
      const pools = same.flatMap(([, [first]]) => first?.pool ?? []);
      const isOne = same.length === 1;
      return {
        title: isOne ? title : inNamespace(`NodePool ${firstNames(pools, names)}`, lines[0]?.namespace),
        rows: rowsOf(isOne ? lines : same.flatMap(([, each]) => each).map(({ pool: _pool, ...rest }) => rest), names),
        consequences: isOne ? consequencesOf(all.get(title) ?? []) : [],
      };
    }),
  );
}

/** What is said of a pool, where it is only that the pool is blocked; undefined: there is more to say. */
function waitingAlike(lines: readonly PlanEntry[]): string | undefined {
  const isBlocked = lines.every(({ kind, blockedBy }) => kind === 'NodePool' && blockedBy !== undefined);
  return isBlocked
    ? JSON.stringify(lines.map(({ name: _name, pool: _pool, file: _file, line: _line, ...shared }) => shared))
    : undefined;
}

function titleOf({ kind, name, cluster, pool, namespace }: PlanEntry): string {
  if (cluster === '') return `${kind} ${name}`;
  return inNamespace(pool === undefined ? `Cluster ${cluster}` : `NodePool ${pool}`, namespace);
}

function inNamespace(claim: string, namespace: string | undefined): string {
  return namespace === undefined ? claim : `${claim} (${namespace})`;
}

function rowsOf(entries: readonly PlanEntry[], names: number): readonly Row[] {
  const groups = Map.groupBy(entries, (entry) => JSON.stringify(sharedOf(entry)));
  return [...groups.values()].flatMap((same) => {
    const kinds = Map.groupBy(same, ({ kind }) => kind);
    if (kinds.size > MOST_KINDS) return rowOf(same, kindsOf(kinds), names);
    return [...kinds].flatMap(([kind, all]) => rowOf(all, namesOf(kind, all, names), names));
  });
}

/** A cluster is deleted with objects of twenty kinds: more than these are counted, not named. */
const MOST_KINDS = 3;

/** What the entries of one row have in common. Claims and machines have rows of their own. */
function sharedOf({ name: _name, file: _file, line: _line, kind, ...shared }: PlanEntry): object {
  const isOurs = ['Cluster', 'NodePool', 'Machine'].includes(kind);
  return isOurs || shared.field !== '' ? { ...shared, kind } : shared;
}

/** Machines that go are named, since nothing else says which of a pool they are. */
const MOST_GOING = 6;

function namesOf(kind: string, all: readonly PlanEntry[], names: number): string {
  const goes = kind === 'Machine' && all.every(({ decision, undrained }) => decision === 'Drop' && undrained !== true);
  const who = firstNames(
    all.map(({ name }) => name),
    goes ? Math.max(names, MOST_GOING) : names,
  );
  return kind === 'Machine' ? who : `${kind} ${who}`;
}

/** `21 SecurityGroupIngressRule, 6 Subnet and 60 other objects` */
function kindsOf(kinds: ReadonlyMap<string, readonly PlanEntry[]>): string {
  const counts = [...kinds].map(([kind, { length }]) => ({ kind, length })).toSorted((a, b) => b.length - a.length);
  const named = counts.slice(0, MOST_KINDS);
  const others = counts.slice(MOST_KINDS).reduce((sum, { length }) => sum + length, 0);
  return `${named.map(({ kind, length }) => `${length} ${kind}`).join(', ')} and ${counted(others, 'other object')}`;
}

function rowOf(same: readonly PlanEntry[], who: string, most: number): readonly Row[] {
  const [first] = same;
  if (first === undefined) return [];
  const places = same.flatMap(({ file, line }) => (file === undefined || line === undefined ? [] : { file, line }));
  const written = places.length === 0 ? '' : placesText(places, most);
  const { decision, field, reason: why, blockedBy = '', held } = first;
  return [{ decision, who, field, change: changeOf(first), why, blockedBy, written, held: held === true }];
}

/** An update in progress already has its new values, so there is no difference, and the old value is not known. */
function changeOf({ field, old, new: now }: PlanEntry): string {
  if (field === '' || (old === undefined && now === undefined)) return '';
  return `${old ?? '(none)'} → ${now ?? '(none)'}`;
}

/** `2 machines patched, 1 updated in place, 3 replaced, 0 held`, or that there are none, and what else there is. */
export function summaryLine({ machines, later, resources, refused }: Summary): string {
  const { patched, updated, replaced, created, removed, held } = machines;
  const counts = [
    `${counted(patched, 'machine')} patched`,
    `${updated} updated in place`,
    `${replaced} replaced`,
    ...(created > 0 ? [`${created} created`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
    `${held} held`,
  ];
  const others = [
    ...(resources.created > 0 ? [`${resources.created} created`] : []),
    ...(resources.patched > 0 ? [`${resources.patched} changed`] : []),
    ...(resources.removed > 0 ? [`${resources.removed} removed`] : []),
  ];
  const coming = [
    ...(later.controlPlanes > 0
      ? [`${createdLater(later.controlPlanes, 'control-plane machine')} once the infrastructure is ready`]
      : []),
    ...(later.pools > 0 ? [`${createdLater(later.pools, 'machine')} for pools once their cluster is ready`] : []),
  ];
  const none = Object.values(machines).every((count) => count === 0);
  return [
    none ? `no machine is touched${coming.length > 0 ? ' yet' : ''}` : counts.join(', '),
    ...(coming.length > 0 ? [coming.join(', and ')] : []),
    ...(others.length > 0 ? [`other objects: ${others.join(', ')}`] : []),
    ...(refused > 0 ? [`${counted(refused, 'claim')} refused or held`] : []),
  ].join('; ');
}

function createdLater(count: number, thing: string): string {
  return `${counted(count, thing)} ${count === 1 ? 'is' : 'are'} created`;
}
