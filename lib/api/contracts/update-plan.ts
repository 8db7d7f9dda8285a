/**
 * Contract "update plan", version 1: all decisions of the in-place-update step in one call, under CONTEXT.updatePlan,
 * for later steps, for `crossplane composition render --include-context` and for `slipway plan`. It describes where the
 * change ends, not only this call: a change that waits has its decision, and what it waits for. Absent if there is
 * nothing to do. If a pipeline starts with `true` under CONTEXT.updatePlanIgnored, it also lists ignored fields if
 * nothing else differs. It is not stored; every call makes it anew.
 */
import { z } from 'zod';

export const UpdatePlanChange = z.strictObject({
  /** Metadata.name of the objects, at least one; the same change of several is listed once. */
  machines: z.array(z.string().min(1).max(253)).min(1),
  /** Path of the field, such as spec.machine.class; empty if it is about whole objects. */
  field: z.string(),
  /** JSON, at most 80 characters, secrets masked. Absent: the field did not exist. */
  old: z.string().optional(),
  /** Like old. Absent: the field is removed. */
  new: z.string().optional(),
  /**
   * For a field: Patch: set now. Update: updated in place, within the budget. Recreate: the object is replaced,
   * even if this field alone could be updated. Hold: it stays until a problem is fixed. Ignore: it keeps its value. For a whole object: Create or Drop.
   */
  decision: z.enum(['Ignore', 'Patch', 'Update', 'Hold', 'Recreate', 'Create', 'Drop']),
  /** Index of the rule that decided, or that is invalid. */
  rule: z.int().min(0).optional(),
  /** Updaters of the field, sorted. */
  updaters: z.array(z.string()).optional(),
  /** One line. */
  reason: z.string(),
  /** What blocks it now: a budget, another object, a setting, a rule. */
  blockedBy: z.string().optional(),
  /** It does not continue by itself: the blocking problem must be fixed. */
  held: z.literal(true).optional(),
  /** Only with Create: name of the object that it replaces, which is deleted once this one is ready. */
  succeeds: z.string().optional(),
});

export const UpdatePlan = z.strictObject({
  contract: z.literal(1),
  changes: z.array(UpdatePlanChange).min(1),
});

export type UpdatePlanChange = z.output<typeof UpdatePlanChange>;
export type UpdatePlan = z.output<typeof UpdatePlan>;
