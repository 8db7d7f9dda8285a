/**
 * Contract "node start", version 1: the first boot of the machine that starts a cluster is not enough, somebody has to
 * call it once. No function can; the bootstrap step says how under CONTEXT.nodeStart at every call, the machine step
 * writes it on the WorkloadNode with the machine's addresses, provider-node makes the call.
 */
import { z } from 'zod';

export const NodeStart = z.strictObject({
  contract: z.literal(1),
  /** Talos: the call Bootstrap of the Talos API. */
  kind: z.enum(['Talos']),
  /** What the caller shows, in the Machine's namespace: a talosconfig. */
  secretRef: z.strictObject({ name: z.string().min(1).max(253), key: z.string().min(1).max(253) }),
});

export type NodeStart = z.output<typeof NodeStart>;
