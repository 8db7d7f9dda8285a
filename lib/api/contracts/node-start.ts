/**
 * Contract "node start", version 1: the first boot of the machine that starts a cluster is not enough, it also needs
 * one API call. No function can make it: the bootstrap step describes it under CONTEXT.nodeStart on every call, the
 * machine step writes it to the WorkloadNode with the addresses of the machine, and provider-node makes the call.
 */
import { z } from 'zod';

export const NodeStart = z.strictObject({
  contract: z.literal(1),
  /** Talos: the call Bootstrap of the Talos API. */
  kind: z.enum(['Talos']),
  /** Credentials of the caller, in the namespace of the Machine: a talosconfig. */
  secretRef: z.strictObject({ name: z.string().min(1).max(253), key: z.string().min(1).max(253) }),
});

export type NodeStart = z.output<typeof NodeStart>;
