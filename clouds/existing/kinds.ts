/** The one kind that is composed for hosts of somebody else: a claim of one. */
import { NODE_API_VERSION } from '#lib/api/words.ts';

export const HOST_CLAIM = { apiVersion: NODE_API_VERSION, kind: 'HostClaim' } as const;

/** Composition resource name. */
export const HOST = 'host';

export const MACHINE_KINDS: ReadonlySet<string> = new Set([HOST_CLAIM.kind]);
