/** Lines for people: the same change of many objects is one row; rows are grouped by claim. */
import { firstNames } from '#lib/api/shortened.ts';
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
  return [...Map.groupBy(shown, titleOf)].map(([title, lines]) => ({
    title,
    rows: rowsOf(lines, names),
    consequences: consequencesOf(all.get(title) ?? []),
  }));
}

function titleOf({ cluster, pool, namespace }: PlanEntry): string {
  const claim = pool === undefined ? `Cluster ${cluster}` : `NodePool ${pool}`;
  return namespace === undefined ? claim : `${claim} (${namespace})`;
}

function rowsOf(entries: readonly PlanEntry[], names: number): readonly Row[] {
  const groups = Map.groupBy(entries, ({ name: _name, ...rest }) => JSON.stringify(rest));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [rowOf(first, same, names)];
  });
}

function rowOf(first: PlanEntry, same: readonly PlanEntry[], names: number): Row {
  const all = same.map(({ name }) => name);
  const who = firstNames(all, names);
  return {
    decision: first.decision,
    who: first.kind === 'Machine' ? who : `${first.kind} ${who}`,
    field: first.field,
    change: changeOf(first),
    why: first.reason,
    blockedBy: first.blockedBy ?? '',
    held: first.held === true,
  };
}

/** An update in progress already has its new values, so there is no difference, and the old value is not known. */
function changeOf({ field, old, new: now }: PlanEntry): string {
  if (field === '' || (old === undefined && now === undefined)) return '';
  return `${old ?? '(none)'} → ${now ?? '(none)'}`;
}

/** `2 machines patched, 1 updated in place, 3 replaced, 0 held`, and what else there is. */
export function summaryLine({ machines, resources, refused }: Summary): string {
  const { patched, updated, replaced, created, removed, held } = machines;
  const counts = [
    `${patched} ${patched === 1 ? 'machine' : 'machines'} patched`,
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
  return [
    counts.join(', '),
    ...(others.length > 0 ? [`other objects: ${others.join(', ')}`] : []),
    ...(refused > 0 ? [`${refused} ${refused === 1 ? 'claim' : 'claims'} refused or held`] : []),
  ].join('; ');
}
