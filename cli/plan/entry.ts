/** The lines of a plan; `-o json` prints exactly these. */
import { z } from 'zod';
import { UpdatePlanChange } from '#lib/api/contracts/update-plan.ts';

/**
 * One line about one field of one object. Lines about machines come from the contract "update plan". Refused means that
 * the API or a function refuses a claim; Patch, Create and Drop also apply to cloud objects.
 */
export const PlanEntry = UpdatePlanChange.omit({ machines: true, decision: true }).extend({
  /** The object: a Machine, a claim, or a resource that a claim composes. */
  kind: z.string(),
  namespace: z.string().optional(),
  name: z.string(),
  /** The Cluster it belongs to; empty for what the platform has for all of them. */
  cluster: z.string(),
  /** The NodePool it belongs to; absent for what belongs to the Cluster itself. */
  pool: z.string().optional(),
  decision: z.enum([...UpdatePlanChange.shape.decision.options, 'Refused']),
  /** Only with Drop: the machine that has its slot from then on. */
  successor: z.string().optional(),
  /** Only with Refused: where the field is written, or what is around it. */
  file: z.string().optional(),
  line: z.number().optional(),
  /** Of a machine of a control plane that comes or goes: what it joins or leaves, such as etcd. */
  store: z.string().optional(),
  /** Only with Drop: true if the machine goes without a drain. */
  undrained: z.boolean().optional(),
  /** Only with Create of a Cluster or NodePool: how many machines it creates later, once it can. */
  machinesLater: z.number().optional(),
});

export type PlanEntry = z.output<typeof PlanEntry>;

/** What happens to one object, according to all its lines. */
export type MachineOutcome = 'patched' | 'updated' | 'replaced' | 'created' | 'removed' | 'held' | 'ignored';

export interface Summary {
  /** Machines by what happens to them; each counts once. */
  readonly machines: Readonly<Record<Exclude<MachineOutcome, 'ignored'>, number>>;
  /** Machines that new Clusters and pools create once they can; the others are counted above. */
  readonly later: { readonly controlPlanes: number; readonly pools: number };
  /** Composed objects other than machines: cloud resources, Secrets and others. */
  readonly resources: { readonly created: number; readonly patched: number; readonly removed: number };
  /** Claims that the API or a function refuses, or that are held. */
  readonly refused: number;
}

/** Counts of a plan, and the verdict they come to. */
export function summaryOf(entries: readonly PlanEntry[]): Summary {
  const objects = Map.groupBy(entries, ({ kind, namespace, name }) => `${kind}/${namespace ?? ''}/${name}`);
  const succeeded = new Set(entries.flatMap(({ succeeds }) => succeeds ?? []));
  const machines = { patched: 0, updated: 0, replaced: 0, created: 0, removed: 0, held: 0 };
  const later = { controlPlanes: 0, pools: 0 };
  const resources = { created: 0, patched: 0, removed: 0 };
  let refused = 0;
  for (const lines of objects.values()) {
    const [first] = lines;
    if (first === undefined) continue;
    later[first.kind === 'Cluster' ? 'controlPlanes' : 'pools'] += first.machinesLater ?? 0;
    if (lines.some(({ decision }) => decision === 'Refused') || isHeldClaim(first)) refused += 1;
    else if (first.kind === 'Machine') {
      const made = lines.every(({ succeeds }) => succeeds !== undefined);
      const outcome = made ? 'ignored' : machineOutcome(lines, succeeded.has(first.name));
      if (outcome !== 'ignored') machines[outcome] += 1;
    } else if (lines.some(({ decision }) => decision === 'Create')) resources.created += 1;
    else if (lines.some(({ decision }) => decision === 'Drop')) resources.removed += 1;
    else if (lines.some(({ decision }) => decision !== 'Ignore')) resources.patched += 1;
  }
  return { machines, later, resources, refused };
}

function isHeldClaim({ kind, decision }: PlanEntry): boolean {
  return kind === 'NodePool' && decision === 'Hold';
}

/**
 * What happens to one machine, from the lines about it and about its replacement. A replacement does not count by
 * itself, but together with the machine that it replaces.
 */
export function outcomeOf(lines: readonly PlanEntry[]): MachineOutcome {
  const made = lines.filter(({ succeeds }) => succeeds !== undefined);
  const own = lines.filter(({ succeeds }) => succeeds === undefined);
  return own.length === 0 ? 'ignored' : machineOutcome(own, made.length > 0);
}

function machineOutcome(lines: readonly PlanEntry[], succeeded: boolean): MachineOutcome {
  const has = (...decisions: readonly string[]): boolean => lines.some(({ decision }) => decisions.includes(decision));
  if (lines.some(({ held }) => held === true)) return 'held';
  if (succeeded || has('Recreate') || lines.some(({ successor }) => successor !== undefined)) return 'replaced';
  if (has('Drop')) return 'removed';
  if (has('Hold')) return 'held';
  if (has('Create')) return 'created';
  if (has('Update')) return 'updated';
  return has('Patch') ? 'patched' : 'ignored';
}

export type Verdict = 'nothing' | 'in-place' | 'replaces' | 'held';

/** The most severe outcome of the plan. Deleting something is more severe than creating something. */
export function verdictOf({ machines, resources, refused }: Summary): Verdict {
  if (refused > 0 || machines.held > 0) return 'held';
  if (machines.replaced + machines.removed + resources.removed > 0) return 'replaces';
  const touched = machines.patched + machines.updated + machines.created + resources.created + resources.patched;
  return touched > 0 ? 'in-place' : 'nothing';
}
