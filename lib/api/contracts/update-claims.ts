/**
 * Contract "update claims", version 1: how another function takes part in in-place updates. A function before the
 * in-place-update step writes under CONTEXT.updateClaims which changed fields it can update on the existing machine. A
 * claim works like a rule of the Composition after all of its rules: for fields that no rule matches, and for fields
 * that a rule gives to `Update` without naming an updater. Several claimants share one update, each with its own
 * fields; each keeps the claims it finds. For a field without a claim, or whose claimant refuses, the fallback decides.
 * Claims are made anew on every call; nothing about them is stored.
 */
import { z } from 'zod';
import { fieldPath } from '../fields/field-path.ts';
import { duration, objectName } from '../fields/text.ts';

export const UpdateClaim = z.strictObject({
  /** Name of the claimant in the update of the machine. */
  updater: objectName(),
  /** Metadata.name of the object it is about. Left out: every object of the group. */
  object: z.string().min(1).max(253).optional(),
  /** The field, and everything below it. The first matching claim that claims it is used. */
  path: fieldPath(),
  /** Refused: this change cannot be made in place. Failed: the claimant could not find out. Both need a reason. */
  answer: z.enum(['Claimed', 'Refused', 'Failed']).default('Claimed'),
  /** One line for the user; it holds no secret. */
  reason: z.string().min(1).max(256).optional(),
  /** Whether the node must be drained first. */
  disruptive: z.boolean().default(true),
  /** How long it may take before it counts as failed. */
  timeout: duration().default('30m'),
});

export const UpdateClaims = z.strictObject({
  contract: z.literal(1),
  claims: z.array(UpdateClaim).max(10_000).default([]),
});

export type UpdateClaim = z.output<typeof UpdateClaim>;
export type UpdateClaims = z.output<typeof UpdateClaims>;
