/**
 * Contract "bootstrap plan", version 1: how a host becomes a node, in words no provisioner owns. The bootstrap
 * step puts it under CONTEXT.bootstrapPlan; the provisioning step renders it. A tagged union: `scripted` today.
 * The plan holds secrets (CA keys, tokens); it travels in the pipeline context only and is never stored.
 */
import { z } from 'zod';
import { path } from '../fields/text.ts';
import { secret } from '../schema/rules.ts';

/** A file as bytes: base64 keeps binary content, line ends and missing final newlines as they are. */
export const PlanFile = z.strictObject({
  /** Outside the folders a first boot may lose, as for files of a claim. */
  path: path(),
  content: secret(z.base64()),
  mode: z.string().regex(/^0[0-7]{3}$/),
  owner: z.string().min(1).default('root:root'),
  append: z.boolean().default(false),
  /**
   * True when ${instanceId} and ${failureDomain} in the content stand for what the cloud tells the machine
   * at boot; the provisioner substitutes them before any command runs.
   */
  instanceVariables: z.boolean().default(false),
});

export const PlanUnit = z.strictObject({
  name: z.string().regex(/\.(service|mount|swap|timer|path|socket)$/),
  contents: secret(z.string()).optional(),
  enabled: z.boolean().default(false),
});

const command = secret(z.string().min(1));

/** Shell commands, each run only when all before it succeeded, in this order: pre, bootstrap, post. */
export const PlanCommands = z.strictObject({
  pre: z.array(command).default([]),
  bootstrap: z.array(command).min(1),
  post: z.array(command).default([]),
});

export const ScriptedPlan = z.strictObject({
  contract: z.literal(1),
  kind: z.literal('scripted'),
  /** Who made the plan, for messages: kubeadm. */
  provider: z.string().min(1),
  /** The node's name and host name. */
  nodeName: z.string().min(1).max(63),
  files: z.array(PlanFile),
  units: z.array(PlanUnit).default([]),
  commands: PlanCommands,
  /** Written last, and only after every command succeeded. */
  sentinel: path(),
  /** Files to remove once the bootstrap commands succeeded: they hold join secrets. */
  removeAfterBootstrap: z.array(path()).default([]),
});

export const BootstrapPlan = z.discriminatedUnion('kind', [ScriptedPlan]);

export type BootstrapPlan = z.output<typeof BootstrapPlan>;
export type ScriptedPlan = z.output<typeof ScriptedPlan>;
export type PlanFile = z.output<typeof PlanFile>;
export type PlanUnit = z.output<typeof PlanUnit>;
