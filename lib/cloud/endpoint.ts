/**
 * The endpoint of a Kubernetes API: of a load balancer that Slipway creates, or named by the claim. Certificates and
 * nodes contain it, so that it is chosen once.
 */
import { refusal } from '#lib/api/refusal.ts';
import type { ClusterSituation, Endpoint } from './infrastructure.ts';
import { API } from './traffic.ts';

const FIELD = 'spec.controlPlane.endpoint';
const HELD = 'since certificates and nodes use it';

type Known = Pick<ClusterSituation, 'cluster' | 'previous' | 'owner'>;

/**
 * Whether Slipway creates the load balancer of the API. The endpoint cannot be added, removed or changed later; setting
 * the endpoint that the cluster already has changes nothing. Throws InvalidClaim.
 * @param ours  whether the load balancer exists
 */
export function needsLoadBalancer({ cluster, previous, owner }: Known, ours: boolean): boolean {
  const { endpoint: given } = cluster.spec.controlPlane;
  const known = previous.controlPlaneEndpoint;
  if (given === undefined) {
    if (known === undefined || ours) return true;
    throw refusal(owner, FIELD, 'none', `${textOf(known)}, ${HELD}`);
  }
  if (known === undefined && ours)
    throw refusal(owner, FIELD, textOf(given), 'no endpoint, since the cluster already has its own load balancer');
  if (known !== undefined && textOf(known) !== textOf(given))
    throw refusal(owner, FIELD, textOf(given), `${textOf(known)}, ${HELD}`);
  return ours;
}

function textOf({ host, port }: Endpoint): string {
  return `${host}:${port}`;
}

/**
 * Certificates and nodes use the first endpoint, so it stays the same even if the load balancer changes its address.
 * @param host of the load balancer, once the cloud told
 */
export function firstEndpoint(
  { cluster, previous }: Pick<Known, 'cluster' | 'previous'>,
  host: string | undefined,
): Endpoint | undefined {
  const known = cluster.spec.controlPlane.endpoint ?? previous.controlPlaneEndpoint;
  if (known !== undefined) return { host: known.host, port: known.port };
  return host === undefined ? undefined : { host, port: API.port };
}

/**
 * What stays as it is although the Composition, or the cloud, now says otherwise.
 * @param region of the cluster @param mapped that its claim comes to now @param host of the load balancer
 */
export function whatStays(
  { previous }: Pick<Known, 'previous'>,
  region: string,
  mapped: string,
  host: string | undefined,
): readonly string[] {
  const known = previous.controlPlaneEndpoint?.host;
  return [
    ...(mapped === region
      ? []
      : [`the cluster stays in ${region}, although the Composition now maps its region to ${mapped}`]),
    ...(host === undefined || known === undefined || host === known
      ? []
      : [`the load balancer now has the address ${host}, but certificates and nodes use ${known}`]),
  ];
}
