/** A pool of any size as its two functions see it: settled, every machine ready. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster, aNodePool, conditions, withStatus } from '../support/claims.ts';
import { aRequest } from '../support/request.ts';

export const UPDATE_INPUT: JsonObject = {
  apiVersion: 'fn.slipway.dev/v1alpha1',
  kind: 'InPlaceUpdateInput',
  rules: [
    { path: 'spec.labels', decision: 'Patch' },
    { path: 'spec.bootstrap.action', decision: 'Ignore' },
  ],
};

/** The request of a pool that has these machines, which may be none yet. */
export function poolRequest(replicas: number, machines: readonly KubeObject[]): Request {
  return aRequest({
    composite: {
      ...aNodePool({ spec: { replicas, machine: { class: 'standard-4' } } }),
      status: { initialized: false },
    },
    observed: Object.fromEntries(machines.map((machine) => [machine.metadata?.name ?? '', machine])),
    required: { cluster: [aCluster()], machines },
  });
}

/** What was desired, as it is observed once it is up. */
export function upAndReady(machine: KubeObject): KubeObject {
  const name = machine.metadata?.name ?? '';
  return withStatus(machine, {
    ...conditions(true, [
      { type: 'InfrastructureReady', status: 'True', reason: 'Ready' },
      { type: 'NodeHealthy', status: 'True', reason: 'NodeHealthy' },
      { type: 'BootstrapConfigReady', status: 'True', reason: 'DataSecretProvided' },
    ]),
    phase: 'Running',
    providerID: `aws:///eu-west-1a/i-${name}`,
    nodeRef: { name },
    version: 'v1.35.4',
  });
}
