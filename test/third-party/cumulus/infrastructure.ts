/** Cumulus for the cluster step: a network and a load balancer; a region has no zones. */
import { z } from 'zod';
import { whyNotReady } from '#lib/api/conditions.ts';
import type { MetadataService } from '#lib/api/contracts/metadata-service.ts';
import type { NeutralClusterInput } from '#lib/cloud/cluster-input.ts';
import type { ClusterSituation, Infrastructure, InfrastructureCloud } from '#lib/cloud/infrastructure.ts';
import { isLabelled } from '#lib/fn/keep.ts';
import { managed, reported } from './kinds.ts';

const CumulusInput = z.strictObject({ project: z.string().default('acme').describe('Project of all clusters.') });
type Input = NeutralClusterInput & { readonly cumulus: z.output<typeof CumulusInput> };
type Situation = ClusterSituation<Input>;

const METADATA: MetadataService = {
  url: 'http://metadata.cumulus.example/v1',
  headers: { 'Cumulus-Metadata': 'yes' },
  values: { instanceId: { path: 'name' }, failureDomain: { path: 'region', lastPart: true } },
};

export const cumulus: InfrastructureCloud<Input> = {
  title: 'Cumulus',
  input: CumulusInput,
  controlPlane: 'machines',
  overridable: {},
  machineKinds: new Set(['Instance', 'Port']),
  whyNotReady,
  mustStay: (object) => isLabelled(object),
  plan,
};

function plan(situation: Situation): Infrastructure {
  const { cluster, observed, previous, input } = situation;
  const { name, namespace } = cluster.metadata;
  const region = previous.infrastructure?.region ?? input.regions[cluster.spec.region] ?? cluster.spec.region;
  const network = reported(observed.get('network'), 'id') ?? previous.infrastructure?.network?.id;
  const host = reported(observed.get('balancer'), 'host') ?? previous.controlPlaneEndpoint?.host;
  const nothing = { securityGroups: [], loadBalancerTargets: [] };
  return {
    resources: new Map([
      ['network', managed('Network', `${name}-network`, namespace, name, { region })],
      [
        'balancer',
        managed('Balancer', `${name}-balancer`, namespace, name, { region, networkIdRef: { name: `${name}-network` } }),
      ],
    ]),
    status: {
      contract: 1,
      cloud: 'cumulus',
      region,
      ...(network === undefined ? {} : { network: { id: network } }),
      failureDomains: [],
      controlPlane: nothing,
      worker: nothing,
      providerIDFormat: `cumulus://${input.cumulus.project}/\${instanceId}`,
      metadataService: METADATA,
      tags: {},
    },
    complete: network !== undefined,
    endpoint: host === undefined ? undefined : { host, port: 6443 },
    notes: [],
  };
}
