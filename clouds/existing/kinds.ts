/** The one kind that is composed for hosts of somebody else: a claim of one. */
import { NODE_API_VERSION } from '#lib/api/words.ts';

export const HOST_CLAIM = { apiVersion: NODE_API_VERSION, kind: 'HostClaim' } as const;

/** Composition resource name. */
export const HOST = 'host';

/** By kind, with its composition resource names. */
export const MACHINE_RESOURCES = { [HOST_CLAIM.kind]: [HOST] } as const;

export const MACHINE_KINDS: ReadonlySet<string> = new Set(Object.keys(MACHINE_RESOURCES));
