/** The kinds by which the owner of hosts and Slipway meet. */
import { NODE_API_VERSION } from '#lib/api/words.ts';

export const HOST = { apiVersion: NODE_API_VERSION, kind: 'Host' } as const;
export const HOST_CLAIM = { apiVersion: NODE_API_VERSION, kind: 'HostClaim' } as const;
