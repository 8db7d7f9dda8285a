/** A plan in a few lines, for the status: how many machines have each decision, and the first changes. */
import type { PoolPlan } from '#lib/api/kinds/node-pool.ts';
import { firstNames } from '#lib/api/shortened.ts';
import type { PlanEntry } from './entries.ts';
import type { Step } from './step.ts';

const LINES = 5;
const NAMES = 2;
const MAX_LENGTH = 512;

/** Undefined if there is nothing to do: the status of a settled pool does not change. */
export function summaryOf(steps: readonly Step[], all: readonly PlanEntry[]): PoolPlan | undefined {
  const entries = all.filter(({ decision }) => decision !== 'Ignore');
  if (entries.length === 0) return undefined;
  const lines = grouped(entries);
  const count = (holds: (step: Step) => boolean): number => steps.filter(holds).length;
  return {
    upToDate: count(({ upToDate, action }) => upToDate && action === 'Keep'),
    patched: count(({ action }) => action === 'Patch'),
    updating: count(({ action }) => action === 'Update'),
    waiting: count(({ action, upToDate }) => action === 'Wait' || (action === 'Keep' && !upToDate)),
    created: count(({ action }) => action === 'Create'),
    removed: count(({ action }) => action === 'Drop'),
    held: count(({ action }) => action === 'Hold'),
    changes: lines.length > LINES ? [...lines.slice(0, LINES), `and ${lines.length - LINES} more`] : [...lines],
  };
}

/** The same change of many machines is one line. */
function grouped(entries: readonly PlanEntry[]): readonly string[] {
  const groups = Map.groupBy(entries, (entry) => {
    const { machine: _machine, reason, ...change } = entry;
    return JSON.stringify(entry.field === '' ? [entry.decision, entry.blockedBy] : [change, reason]);
  });
  return [...groups.values()].map(lineOf);
}

function lineOf(entries: readonly PlanEntry[]): string {
  const [first] = entries;
  if (first === undefined) return '';
  const names = entries.map(({ machine }) => machine);
  const why = first.blockedBy === undefined ? '' : `; blocked by ${first.blockedBy}`;
  const line = `${first.decision}${changeOf(first)}: ${firstNames(names, NAMES)}: ${first.reason}${why}`;
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 3)}...`;
}

/** A field that already has its new value, as in a running update, is listed without values. */
function changeOf({ field, old, new: now }: PlanEntry): string {
  if (field === '') return '';
  return old === undefined && now === undefined ? ` ${field}` : ` ${field} ${old ?? '(none)'} -> ${now ?? '(none)'}`;
}
