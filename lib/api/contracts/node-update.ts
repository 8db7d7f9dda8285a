/**
 * Contract "node update", version 1: scripts for an in-place update of a node. Steps before the machine step put
 * scripts under CONTEXT.nodeUpdate and keep those that they find: the bootstrap step for what its bootstrapper
 * configured, the provisioning step for settings of the first boot. The machine step passes them to provider-node in a
 * Secret. A script is POSIX shell and runs as root on the node. It may run again after it was interrupted or after it
 * succeeded, and must then only do what is left. It prints no secret.
 */
import { z } from 'zod';
import { fieldPath } from '../fields/field-path.ts';
import { objectName } from '../fields/text.ts';

export const NodeUpdateScript = z.strictObject({
  /** The updater in spec.update of the Machine that the script belongs to. */
  updater: objectName(),
  /** Fields of the Machine that it updates, with everything below each. */
  fields: z.array(fieldPath()).min(1).max(512),
  script: z.string().min(1).max(65_536),
});

export const NodeUpdate = z.strictObject({
  contract: z.literal(1),
  /** The id of the update of the Machine. */
  id: z.string().min(1).max(63),
  /** In the order they run. */
  scripts: z.array(NodeUpdateScript).max(64).default([]),
  /** What steps wait for, by their names, before they can write their scripts; the update does not begin until then. */
  waiting: z.record(z.string().min(1).max(63), z.string().min(1).max(1024)).optional(),
});

export type NodeUpdateScript = z.output<typeof NodeUpdateScript>;
export type NodeUpdate = z.output<typeof NodeUpdate>;
