/** What other objects need to know of one before it counts as ready. */
import type { KubeObject } from '#lib/api/json.ts';
import { output, whyNotReady as whyNotReported } from '#lib/cloud/observed.ts';

/** Fields of a kind that other objects need; without them an object is not ready, whatever its conditions say. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  VPC: ['id'],
  Subnet: ['id'],
  InternetGateway: ['id'],
  NATGateway: ['id'],
  SecurityGroup: ['id'],
  LB: ['arn', 'dnsName'],
  LBTargetGroup: ['arn'],
};

/** Why a managed resource is not ready, including the state of its kind; undefined if it is. */
export function whyNotReady(object: KubeObject | undefined): string | undefined {
  const why = whyNotReported(object, NEEDED);
  if (why !== undefined || object === undefined) return why;
  if (object.kind === 'Route' && output(object, 'state') === 'blackhole')
    return 'its target no longer exists (blackhole)';
  return undefined;
}
