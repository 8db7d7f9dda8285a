/** Cumulus with managed control planes: one object is the whole control plane. */
import { z } from 'zod';
import { whyNotReady } from '#lib/api/conditions.ts';
import type { NeutralClusterInput } from '#lib/cloud/cluster-input.ts';
import type { ClusterSituation, Infrastructure, InfrastructureCloud } from '#lib/cloud/infrastructure.ts';
import { isLabelled } from '#lib/fn/keep.ts';
import { managed, reported } from './kinds.ts';

export const cumulusManaged: InfrastructureCloud<NeutralClusterInput> = {
  title: 'Cumulus with managed control planes',
  input: z.strictObject({}),
  controlPlane: 'managed',
  overridable: {},
  machineKinds: new Set(),
  whyNotReady,
  mustStay: (object) => isLabelled(object),
  plan,
};

function plan({ cluster, observed, previous }: ClusterSituation): Infrastructure {
  const { name, namespace } = cluster.metadata;
  const { region, version } = cluster.spec;
  const made = observed.get('control-plane-service');
  const host = reported(made, 'host') ?? previous.controlPlaneEndpoint?.host;
  const why = whyNotReady(made);
  return {
    resources: new Map([
      ['control-plane-service', managed('ControlPlane', name, namespace, name, { region, version })],
    ]),
    status: { contract: 1, cloud: 'cumulus-managed', region, failureDomains: [], tags: {} },
    complete: host !== undefined,
    endpoint: host === undefined ? undefined : { host, port: 443 },
    controlPlane: {
      initialized: why === undefined && host !== undefined,
      version: reported(made, 'version'),
      certificateAuthority: reported(made, 'authority'),
      problem: why,
    },
    notes: [],
  };
}
