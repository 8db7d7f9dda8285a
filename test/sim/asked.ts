/** What the functions of a pool are asked, and the Cluster that they read. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster, INFRASTRUCTURE } from '../support/claims.ts';
import { aRequest } from '../support/request.ts';
import type { Flavour } from './flavours.ts';
import { nameOf, type View } from './observation.ts';

/** The request of the first step of the pipeline. */
export function requestFor(view: View, cluster: KubeObject): Request {
  return aRequest({
    composite: withReferences(view),
    observed: Object.fromEntries(view.machines.map((machine) => [nameOf(machine), machine])),
    required: { cluster: [cluster], machines: view.required },
  });
}

function withReferences({ pool, refs }: View): KubeObject {
  const resourceRefs = [...refs].map(([name, apiVersion]) => ({ apiVersion, kind: 'Machine', name }));
  return { ...pool, spec: { ...pool.spec, crossplane: { resourceRefs } } };
}

/** One that is ready, in the zones of a flavour. */
export function clusterOn({ name, zones }: Flavour): KubeObject {
  const cluster = aCluster();
  const failureDomains = zones.map((zone, at) => ({ ...INFRASTRUCTURE.failureDomains[at], name: zone }));
  const infrastructure = { ...INFRASTRUCTURE, cloud: name, failureDomains };
  return { ...cluster, status: { ...cluster.status, infrastructure } };
}
