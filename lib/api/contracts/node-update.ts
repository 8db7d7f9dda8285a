/**
 * Contract "node update", version 1: what runs on a node for an update in place. Steps of a Machine's pipeline before
 * the machine step put scripts under CONTEXT.nodeUpdate, each adding its own to those it finds: the bootstrap step for
 * what its bootstrapper made of the node, the provisioning step for what the first boot configured. The machine step
 * hands them to provider-node in a Secret. A script is POSIX shell, run as root on the node; it may be run again after
 * it was cut off or after it succeeded, and does then what is left. It prints no secret.
 */
import { z } from 'zod';
import { fieldPath } from '../fields/field-path.ts';
import { objectName } from '../fields/text.ts';

export const NodeUpdateScript = z.strictObject({
  /** The updater of the Machine's order that this is part of. */
  updater: objectName(),
  /** Fields of the Machine it brings about, with everything below each. */
  fields: z.array(fieldPath()).min(1).max(512),
  script: z.string().min(1).max(65_536),
});

export const NodeUpdate = z.strictObject({
  contract: z.literal(1),
  /** The order of the Machine this is for. */
  id: z.string().min(1).max(63),
  /** In the order they run. */
  scripts: z.array(NodeUpdateScript).max(64).default([]),
});

export type NodeUpdateScript = z.output<typeof NodeUpdateScript>;
export type NodeUpdate = z.output<typeof NodeUpdate>;
