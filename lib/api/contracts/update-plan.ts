/**
 * Contract "update plan", version 1: everything the in-place-update step decided in one call, under CONTEXT.updatePlan
 * for the steps after it, for `crossplane composition render --include-context` and for `slipway plan`. It says where
 * the change ends up, not only what this call does: what waits for its turn has its decision, and what it waits for.
 * Absent when there is nothing to do; who starts a pipeline with `true` under CONTEXT.updatePlanIgnored is told, too,
 * where all that differs is ignored. Nothing about it is stored; it is made anew at every call.
 */
import { z } from 'zod';

export const UpdatePlanChange = z.strictObject({
  /** Metadata.name of the objects it is about, at least one; the same change of several is told once. */
  machines: z.array(z.string().min(1).max(253)).min(1),
  /** Path of the field, such as spec.machine.class; empty where it is about the objects as a whole. */
  field: z.string(),
  /** JSON, at most 80 characters, secrets masked. Absent: the field was not there. */
  old: z.string().optional(),
  /** As old. Absent: the field is taken away. */
  new: z.string().optional(),
  /**
   * Of a field, Patch: set now. Update: brought about in place, within the budget. Recreate: the object gets a successor.
   * Hold: it stays until somebody mends what blocks it. Ignore: it keeps what it has. Of a whole object, Create or Drop.
   */
  decision: z.enum(['Ignore', 'Patch', 'Update', 'Hold', 'Recreate', 'Create', 'Drop']),
  /** Index of the rule of the step's input that decided, or that is to blame. */
  rule: z.int().min(0).optional(),
  /** Updaters that bring the field about, sorted. */
  updaters: z.array(z.string()).optional(),
  /** One line. */
  reason: z.string(),
  /** What keeps it from happening now: a budget, another object, a setting, a rule. */
  blockedBy: z.string().optional(),
  /** It does not go on by itself: somebody has to mend what blocks it. */
  held: z.literal(true).optional(),
  /** Only with Create: name of the object it is made for, which goes once this one is ready. */
  succeeds: z.string().optional(),
});

export const UpdatePlan = z.strictObject({
  contract: z.literal(1),
  changes: z.array(UpdatePlanChange).min(1),
});

export type UpdatePlanChange = z.output<typeof UpdatePlanChange>;
export type UpdatePlan = z.output<typeof UpdatePlan>;
