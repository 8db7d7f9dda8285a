/** Names that the parts of the simulated provider-node share. */
import { NODE_API_VERSION } from '#lib/api/words.ts';

/** Its field manager. */
export const MANAGER = 'provider-node';
export const WORKLOAD_NODE = { apiVersion: NODE_API_VERSION, kind: 'WorkloadNode' } as const;
