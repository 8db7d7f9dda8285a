/**
 * How the Kubernetes API is reached: what the claim states or, without that, what a load balancer already has. A cluster
 * from before v0.1.0 is internet-facing and open to everyone, because that was the default.
 */
import { at } from '#lib/api/json.ts';
import { ANYWHERE, UNREACHABLE } from '#lib/cloud/api-clients.ts';
import { agreedScheme, type Scheme } from '#lib/cloud/chosen-once.ts';
import { type ApiClients, apiClients } from '#lib/cloud/site.ts';
import { hasLoadBalancer } from './chosen-once.ts';
import type { Situation } from './situation.ts';

export interface ApiAccess extends ApiClients {
  readonly scheme: Scheme;
  /** Whether the blocks stay open although the claim does not have them. */
  readonly kept: boolean;
}

/** Throws InvalidClaim if the claim states another scheme than the load balancer has. */
export function apiAccessOf(situation: Situation): ApiAccess {
  const stated = situation.cluster.spec.controlPlane.allowedCIDRs;
  const kept = stated === undefined ? keptCIDRs(situation) : undefined;
  return {
    scheme: agreedScheme(situation, hasLoadBalancer(situation) ? knownScheme(situation) : undefined),
    kept: kept !== undefined,
    ...apiClients(situation, stated ?? kept ?? []),
  };
}

/**
 * What the claim does not say, and an access that cannot work.
 * @param loadBalancer  whether Slipway creates one
 */
export function accessNotes({ cluster }: Situation, api: ApiAccess, loadBalancer: boolean): readonly string[] {
  const isUnstated = cluster.spec.controlPlane.scheme === undefined;
  const isPublic = loadBalancer && isUnstated && api.scheme === 'internet-facing';
  const blocks = api.allowedCIDRs.join(', ');
  return [
    ...(isPublic ? ['the load balancer stays internet-facing, although spec.controlPlane.scheme does not say so'] : []),
    ...(api.kept ? [`${blocks} may reach the Kubernetes API until spec.controlPlane.allowedCIDRs says who may`] : []),
    ...(api.clientCIDRs.length === 0 ? [UNREACHABLE] : []),
  ];
}

/** Of the existing load balancer; undefined: only the claim says it, since an override set the field. */
function knownScheme(situation: Situation): Scheme | undefined {
  const { cluster, previous, observed } = situation;
  const recorded = previous.infrastructure?.apiAccess?.scheme;
  if (recorded !== undefined) return recorded;
  const internal = at(observed.get('lb-api'), 'spec', 'forProvider', 'internal');
  if (typeof internal === 'boolean' && !isOverridden(situation)) return internal ? 'internal' : 'internet-facing';
  return cluster.spec.controlPlane.scheme === undefined ? 'internet-facing' : undefined;
}

/** Whether the field may differ from what was decided; without a status, nothing else is known. */
function isOverridden({ cluster, previous }: Situation): boolean {
  const { overrides } = cluster.spec.infrastructure;
  const isSet = overrides.some(
    ({ kind, patch }) => kind === 'LB' && at(patch, 'spec', 'forProvider', 'internal') !== undefined,
  );
  return isSet && previous.infrastructure !== undefined;
}

/** A limit of the platform closes it, because a claim with this block would be refused. */
function keptCIDRs({ previous, observed, input }: Situation): readonly string[] | undefined {
  if (input.limits.allowedCIDRs !== undefined) return undefined;
  const recorded = previous.infrastructure?.apiAccess;
  if (recorded !== undefined) return recorded.keptCIDRs;
  const groups = ['apiserver-lb', 'controlplane'];
  return groups.some((group) => observed.has(`ingress-${group}-api-0.0.0.0-0`)) ? [ANYWHERE] : undefined;
}
