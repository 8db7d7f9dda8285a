/** The endpoint of a Kubernetes API that somebody else leads to the control plane. It is chosen once. */
import { HOST_RULE, isHost } from '#lib/api/host-name.ts';
import { withValue } from '#lib/api/issues.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { INPUT_NAME } from '#lib/cloud/cluster-input.ts';
import { needsLoadBalancer } from '#lib/cloud/endpoint.ts';
import type { Endpoint } from '#lib/cloud/infrastructure.ts';
import type { Situation } from './situation.ts';

const FIELD = 'spec.controlPlane.endpoint';
const LONGEST = 253;

/** Throws InvalidClaim for another one than the cluster has, and where neither claim nor Composition names one. */
export function endpointOf(situation: Situation): Endpoint {
  const { cluster, previous, input, owner } = situation;
  const { endpoint: given } = cluster.spec.controlPlane;
  const known = previous.controlPlaneEndpoint;
  if (given !== undefined) {
    needsLoadBalancer(situation, false);
    return { host: given.host, port: given.port };
  }
  if (known !== undefined) return { host: known.host, port: known.port };
  const { endpoint } = input.existing;
  if (endpoint === undefined)
    throw refusal(
      owner,
      FIELD,
      undefined,
      `the address that leads to the control-plane machines, since nobody creates a load balancer; or existing.endpoint in ${INPUT_NAME}`,
    );
  const { name, namespace } = cluster.metadata;
  const host = endpoint.host.replaceAll('$(name)', name).replaceAll('$(namespace)', namespace);
  if (host.length > LONGEST)
    throw refusal(
      owner,
      FIELD,
      undefined,
      `an endpoint, since existing.endpoint of ${INPUT_NAME} is too long with these names`,
    );
  // Of a new Cluster alone: one that exists has its endpoint in the status.
  if (!isHost(host)) throw refusalFor(INPUT_NAME, 'existing.endpoint.host', withValue(host, HOST_RULE), 'InvalidInput');
  return { host, port: endpoint.port };
}
