/**
 * Contract "group", version 1: what the step that decides which machines exist tells the step that changes them, under
 * CONTEXT.group on every call. Objects that are no longer wanted are released: they stay desired unchanged, and the
 * in-place-update step removes them as its budget allows, which it also uses for roll-outs. An object that the previous
 * step neither desires nor names counts as Surplus. Without the contract, observed objects that are being deleted count
 * as leaving, and the group of a control plane is assumed to have a quorum.
 */
import { z } from 'zod';

const name = () => z.string().min(1).max(253);

/**
 * Lost: it will never become ready, and another object fills its slot. Unhealthy: its pool gave it up. Surplus: there
 * are more than wanted.
 */
export const Release = z.strictObject({
  /** Metadata.name of the object. */
  name: name(),
  why: z.enum(['Lost', 'Unhealthy', 'Surplus']),
  /** One line: why it is removed. */
  message: z.string().min(1).max(512),
});

export const Group = z.strictObject({
  contract: z.literal(1),
  /** How many objects are being deleted and still exist, whether or not they are observed. */
  leaving: z.int().min(0),
  /**
   * Whether the objects are members of one etcd: then there is one disruptive step at a time, and a majority stays
   * healthy, where a new machine counts as unhealthy.
   */
  quorum: z.boolean(),
  /**
   * Composition resource names of existing objects that are missing from this observation; they are desired unchanged.
   */
  unobserved: z.array(name()).max(10_000),
  /** In the order of removal. */
  releases: z.array(Release).max(10_000),
  /** Names of up-to-date objects to replace, because it was requested. */
  replacements: z.array(name()).max(10_000).default([]),
  /** What the objects wait for, or that they wait for nothing: absent if they were not compared with the claim. */
  held: z
    .strictObject({
      /** One word, for a condition. */
      reason: z.string().regex(/^[A-Z][A-Za-z]*$/),
      /** The end of a sentence: why they stay as they are, and what ends it. */
      message: z.string().min(1).max(1024),
      /** Names of objects that differ from the claim. */
      differing: z.array(name()).max(10_000),
    })
    .optional(),
  /** Repeated failures of new objects: only the failed slots retry, no other slot begins. */
  stopped: z
    .strictObject({
      slots: z.array(z.string().min(1).max(63)).min(1),
      /** One line: which object, why, how many failed, and what to do. */
      message: z.string().min(1).max(1024),
    })
    .optional(),
});

export type Release = z.output<typeof Release>;
export type Group = z.output<typeof Group>;
