/** What a plan means for the machines of a pool, in words: what stops, and what is lost. */
import { counted } from '#lib/api/counted.ts';
import { outcomeOf, type MachineOutcome, type PlanEntry } from './entry.ts';

/** What the updaters of the project do to a machine, the most disruptive first. */
const UPDATERS: Readonly<Record<string, string>> = {
  resize: 'drained, stopped, and started with the new size, a few minutes each; local disks are lost',
  kubernetes: 'drained, then updated to the packages of the new version',
  taints: 'drained, then tainted',
  'node-configuration': 'changed while running, without a drain',
};

/** One sentence for each thing that happens; of one pool or Cluster. */
export function consequencesOf(entries: readonly PlanEntry[]): readonly string[] {
  const machines = [...machinesOf(entries)].map(([name, lines]) => ({ name, lines, outcome: outcomeOf(lines) }));
  const sentences = (Object.keys(SENTENCES) as (keyof typeof SENTENCES)[]).flatMap((outcome) => {
    const same = machines.filter((machine) => machine.outcome === outcome);
    if (same.length === 0) return [];
    const groups = Map.groupBy(same, ({ lines }) => SENTENCES[outcome](lines));
    return [...groups].map(
      ([what, all]) => `${counted(all.length, 'machine')}: ${all.length > 1 ? what : alone(what)}`,
    );
  });
  const lost = entries.some(({ kind, decision }) => kind === 'Cluster' && decision === 'Drop');
  return lost ? [...sentences, 'the cluster is lost, with its etcd data, certificates and kubeconfig'] : sentences;
}

/** An even number of members needs as many for a majority as the odd number above it. */
const withEven = (store: string): string =>
  `while the number is even, ${store} survives no more losses than with one member less`;

/** What the machine of a control plane joins or leaves; undefined: it is no member. */
function storeOf(lines: readonly PlanEntry[]): string | undefined {
  return lines.find((line) => line.store !== undefined)?.store;
}

/** The one name that no other pool may have. */
function isOfControlPlane({ cluster, pool }: PlanEntry): boolean {
  return pool === `${cluster}-control-plane`;
}

/** Of machines that one call lets go of. */
const AT_ONCE = 'drained at the same time and deleted; local disks are lost';
const DRAINED = 'drained and deleted; local disks are lost';

function alone(what: string): string {
  return what === AT_ONCE ? DRAINED : what;
}

function leaves(lines: readonly PlanEntry[]): string {
  if (lines.some(({ undrained }) => undrained === true)) return 'deleted without a drain; local disks are lost';
  const store = storeOf(lines);
  if (store !== undefined)
    return `drained, taken out of ${store} and deleted, one after another; local disks are lost; ${withEven(store)}`;
  if (lines.some(isOfControlPlane)) return 'drained and deleted, one after another; local disks are lost';
  return lines.some(({ blockedBy }) => blockedBy !== undefined) ? DRAINED : AT_ONCE;
}

function joins(lines: readonly PlanEntry[]): string {
  const store = storeOf(lines);
  if (store !== undefined)
    return `created; only one joins ${store} at a time, once all others are ready; ${withEven(store)}`;
  return lines.some(isOfControlPlane) ? 'created; only one joins at a time' : 'created';
}

type Said = Exclude<MachineOutcome, 'ignored'>;

const SENTENCES: Readonly<Record<Said, (lines: readonly PlanEntry[]) => string>> = {
  held: () => 'no change until somebody acts',
  replaced: () => 'a new one is created, the old one drained and deleted; local disks are lost',
  removed: leaves,
  updated: (lines) => {
    const names = lines.flatMap(({ updaters }) => updaters ?? []);
    const known = Object.keys(UPDATERS).find((name) => names.includes(name));
    return known === undefined ? `updated in place by ${names.join(', ')}` : (UPDATERS[known] ?? '');
  },
  created: joins,
  patched: () => 'changed at once, without a restart',
};

/** Lines of each machine; those of a replacement belong to the machine that it replaces. */
function machinesOf(entries: readonly PlanEntry[]): ReadonlyMap<string, readonly PlanEntry[]> {
  const machines = entries.filter(({ kind }) => kind === 'Machine');
  return Map.groupBy(machines, ({ name, succeeds }) => succeeds ?? name);
}
