/** What other objects need to know of one before it counts as ready. */
import type { KubeObject } from '#lib/api/json.ts';
import { whyNotReady as whyNotReported } from '#lib/cloud/observed.ts';

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  Network: ['id'],
  Subnetwork: ['id'],
  Address: ['address'],
  NetworkEndpointGroup: ['selfLink'],
  ServiceAccount: ['email'],
};

/** Why a managed resource is not ready, including what others need of it; undefined if it is. */
export function whyNotReady(object: KubeObject | undefined): string | undefined {
  return whyNotReported(object, NEEDED);
}
