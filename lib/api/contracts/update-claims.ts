/**
 * Contract "update claims", version 1: how somebody else takes part in updates in place. A function that stands in the
 * pipeline before the in-place-update step says under CONTEXT.updateClaims which changed fields it can bring about on
 * the machine that exists. A claim decides like a rule of the Composition that comes after all of its rules: about
 * fields no rule meets, and about those a rule gives to `Update` without naming an updater. Several claimants share
 * one update, field by field; each adds its claims to those it finds. A field that nobody claims, or that its claimant
 * refuses, decides the fallback. Claims are made anew at every call; nothing about them is stored.
 */
import { z } from 'zod';
import { fieldPath } from '../fields/field-path.ts';
import { duration, objectName } from '../fields/text.ts';

export const UpdateClaim = z.strictObject({
  /** Who carries it out, by a name the machine's update is told. */
  updater: objectName(),
  /** Metadata.name of the object it is about. Left out: every object of the group. */
  object: z.string().min(1).max(253).optional(),
  /** The field, and everything below it. The first claim that meets a field and object, and claims it, gets it. */
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
