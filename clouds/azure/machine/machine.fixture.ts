/** A Machine on Azure and its cluster, as the machine step is called with them. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import {
  aCluster,
  aMachine,
  anInfrastructure,
  anInput,
  call,
  instanceIn,
} from '../../../functions/machine/machine.fixture.ts';

const GROUP = '/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/team-a-prod-x7k2m9';
const SUBNET = `${GROUP}/providers/Microsoft.Network/virtualNetworks/n/subnets/nodes`;
const SECURITY_GROUP = `${GROUP}/providers/Microsoft.Network/networkSecurityGroups/machines`;
const groupOf = (name: string): string => `${GROUP}/providers/Microsoft.Network/applicationSecurityGroups/${name}`;
const identityOf = (name: string): string =>
  `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

export const POOL = `${GROUP}/providers/Microsoft.Network/loadBalancers/api/backendAddressPools/api`;

/** As its cluster reports it. */
export const INFRASTRUCTURE = anInfrastructure({
  cloud: 'azure',
  region: 'westeurope',
  id: 'team-a-prod-x7k2m9',
  failureDomains: [
    { name: 'westeurope-1', subnet: SUBNET },
    { name: 'westeurope-2', subnet: SUBNET },
  ],
  controlPlane: {
    identity: identityOf('control-plane'),
    securityGroups: [SECURITY_GROUP, groupOf('control-plane'), groupOf('node')],
    loadBalancerTargets: [{ id: POOL, port: 6443 }],
    firstBootSecrets: `${GROUP}/providers/Microsoft.KeyVault/vaults/kv-control-plane/secrets/`,
  },
  worker: {
    identity: identityOf('node'),
    securityGroups: [SECURITY_GROUP, groupOf('node')],
    firstBootSecrets: `${GROUP}/providers/Microsoft.KeyVault/vaults/kv-node/secrets/`,
  },
  providerIDFormat: `azure://${GROUP}/providers/Microsoft.Compute/virtualMachines/\${instanceId}`,
  tags: { 'slipway-cluster': 'prod' },
});

const { aws: _aws, ...NEUTRAL } = anInput();
export const INPUT = {
  ...NEUTRAL,
  cloud: 'azure',
  classes: { 'standard-4': 'Standard_D4s_v5' },
  images: {
    'ubuntu-24.04/v1.35.4': { global: '/communityGalleries/g/images/ubuntu/versions/1.35.4' },
    'ubuntu-24.04': { westeurope: '/communityGalleries/g/images/ubuntu/versions/1.0.0' },
  },
  azure: { userData: 'Plain', encryptionAtHost: true },
};

export const machineOf = (spec: JsonObject, status?: JsonObject): KubeObject =>
  aMachine({ failureDomain: 'westeurope-1', ...spec }, status);

export const reply = (
  machine: KubeObject,
  observed: Readonly<Record<string, KubeObject>> = {},
  input: JsonObject = INPUT,
  context?: JsonObject,
) =>
  call({
    machine,
    clusters: [aCluster(INFRASTRUCTURE)],
    input,
    observed,
    ...(context === undefined ? {} : { context }),
  });

/** The virtual machine. @param observed as it is */
export const instance = (spec: JsonObject, observed?: KubeObject): Promise<KubeObject> =>
  instanceIn((made) => reply(machineOf(spec), made), observed);
