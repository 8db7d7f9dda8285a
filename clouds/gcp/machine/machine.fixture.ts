/** A Machine on GCP and its cluster, as the machine step is called with them. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import {
  aCluster,
  aMachine,
  anInfrastructure,
  anInput,
  call,
  instanceIn,
} from '../../../functions/machine/machine.fixture.ts';

const KEY = 'projects/p/locations/europe-west1/keyRings/fake/cryptoKeys/fake';
const SUBNET = 'projects/p/regions/europe-west1/subnetworks/nodes';
const NEG = (zone: string): JsonObject => ({ id: `europe-west1-${zone}/neg-${zone}`, port: 6443 });
/** As its cluster reports it. */
export const INFRASTRUCTURE = anInfrastructure({
  cloud: 'gcp',
  region: 'europe-west1',
  id: 'team-a-prod-x7k2m9',
  failureDomains: [
    { name: 'europe-west1-b', subnet: SUBNET },
    { name: 'europe-west1-c', subnet: SUBNET },
  ],
  controlPlane: {
    identity: 'cp@p.iam.gserviceaccount.com',
    securityGroups: ['cp', 'node'],
    loadBalancerTargets: [NEG('b'), NEG('c')],
    firstBootSecrets: 'x_control-plane_',
  },
  worker: {
    identity: 'node@p.iam.gserviceaccount.com',
    securityGroups: ['node'],
    firstBootSecrets: 'x_node_',
  },
  providerIDFormat: 'gce://p/${failureDomain}/${instanceId}',
  tags: { 'slipway-cluster': 'prod' },
});
const { aws: _aws, ...NEUTRAL } = anInput();
export const INPUT = {
  ...NEUTRAL,
  cloud: 'gcp',
  classes: { 'standard-4': 'n2-standard-4' },
  images: {
    'ubuntu-24.04/v1.35.4': { global: 'projects/p/global/images/ubuntu-v1-35-4' },
    'ubuntu-24.04': { 'europe-west1': 'projects/p/global/images/ubuntu' },
  },
  gcp: { userData: 'Plain', kmsKey: KEY },
};

export const machineOf = (spec: JsonObject, status?: JsonObject): KubeObject =>
  aMachine({ failureDomain: 'europe-west1-b', ...spec }, status);

export const reply = (machine: KubeObject, observed: Readonly<Record<string, KubeObject>> = {}) =>
  call({ machine, clusters: [aCluster(INFRASTRUCTURE)], input: INPUT, observed });

/** The virtual machine. @param observed as it is */
export const instance = (spec: JsonObject, observed?: KubeObject): Promise<KubeObject> =>
  instanceIn((made) => reply(machineOf(spec), made), observed);
