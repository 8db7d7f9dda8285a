/**
 * The endpoint of a Kubernetes API: of a load balancer that Slipway creates, or named by the claim. Certificates and
 * nodes contain it, so that it is chosen once.
 */
import { refusal } from '#lib/api/refusal.ts';
import type { ClusterSituation, Endpoint } from './infrastructure.ts';

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
    throw refusal(owner, FIELD, textOf(given), 'none, since the cluster already has its own load balancer');
  if (known !== undefined && textOf(known) !== textOf(given))
    throw refusal(owner, FIELD, textOf(given), `${textOf(known)}, ${HELD}`);
  return ours;
}

function textOf({ host, port }: Endpoint): string {
  return `${host}:${port}`;
}
