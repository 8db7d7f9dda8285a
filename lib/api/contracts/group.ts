/**
 * Contract "group", version 1: what the step that decides which machines there are tells the step that decides how each
 * gets there, under CONTEXT.group at every call. Objects that are not wanted any more are released: they stay desired as
 * they are, and the in-place-update step takes them out as its budget allows, the same that its roll-outs pay from. What
 * an earlier step does not desire and does not name counts as Surplus. Where nobody writes the contract, what is observed
 * on its way out counts as leaving, and the group of a control plane is taken to have a quorum.
 */
import { z } from 'zod';

const name = () => z.string().min(1).max(253);

/**
 * Lost: it will not become anything, and another one fills its slot. Unhealthy: its pool gave it up. Surplus: there are
 * more than are wanted.
 */
export const Release = z.strictObject({
  /** Metadata.name of the object. */
  name: name(),
  why: z.enum(['Lost', 'Unhealthy', 'Surplus']),
  /** One line, as the reason of its going. */
  message: z.string().min(1).max(512),
});

export const Group = z.strictObject({
  contract: z.literal(1),
  /** How many objects are on their way out and still exist, whether or not they are observed. */
  leaving: z.int().min(0),
  /**
   * Whether the objects are members of one etcd: one disruptive step at a time, and a majority stays well with a
   * newcomer counted as not.
   */
  quorum: z.boolean(),
  /** Composition resource names that are desired as they are: this one observation lacks the objects, and they exist. */
  unobserved: z.array(name()).max(10_000),
  /** The first to go first. */
  releases: z.array(Release).max(10_000),
  /** Names of objects that are to be succeeded though they are what is desired: somebody asked for it. */
  replacements: z.array(name()).max(10_000).default([]),
  /** New objects fail one after another: only the slots that failed try again, no other one begins. */
  stopped: z
    .strictObject({
      slots: z.array(z.string().min(1).max(63)).min(1),
      /** One line: which object, why, how many failed, and what helps. */
      message: z.string().min(1).max(1024),
    })
    .optional(),
});

export type Release = z.output<typeof Release>;
export type Group = z.output<typeof Group>;
