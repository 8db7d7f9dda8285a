/** What somebody else has on GCP. */
import { type CloudCase, endpoint, type Foreign } from './case.ts';

const GCP = 'europe-west1';
const ZONE = `${GCP}-b`;
const ACCOUNT = 'worker-nodes@simulated-project.iam.gserviceaccount.com';
const KEY = 'projects/simulated-project/locations/europe-west1/keyRings/fake/cryptoKeys/fake';
const grant = (role: string): Foreign => ({
  kind: 'ProjectIAMMember',
  name: role.split('.').at(-1)?.toLowerCase() ?? '',
  forProvider: { project: 'simulated-project', member: `serviceAccount:${ACCOUNT}`, role },
});

export const GCP_CASE: CloudCase = {
  cloud: 'gcp',
  region: GCP,
  apiVersionOf: (kind) =>
    `${/^(ServiceAccount|ProjectIAMMember)$/.test(kind) ? 'cloudplatform' : 'compute'}.gcp.m.upbound.io/v1beta1`,
  parts: [
    {
      part: 'network and subnets',
      owned: [
        () => [{ kind: 'Network', name: 'shared', forProvider: { autoCreateSubnetworks: false } }],
        (seen) => [
          {
            kind: 'Subnetwork',
            name: 'nodes',
            forProvider: { region: GCP, network: seen('shared', 'id'), ipCidrRange: '10.9.0.0/20' },
          },
        ],
      ],
      claim: (seen) => ({
        infrastructure: {
          existing: {
            network: { id: seen('shared', 'id') },
            subnets: [{ id: seen('nodes', 'id'), zone: ZONE }],
          },
        },
      }),
      without: ['Network', 'Subnetwork', 'Router', 'RouterNAT'],
    },
    {
      part: 'network tags',
      owned: [],
      claim: () => ({
        infrastructure: { existing: { securityGroups: { controlPlane: ['masters'], worker: ['machines'] } } },
      }),
      without: ['Firewall'],
    },
    {
      part: 'identities',
      owned: [
        () => [{ kind: 'ServiceAccount', name: 'worker-nodes', forProvider: {} }],
        () => [grant('roles/secretmanager.secretAccessor')],
      ],
      claim: () => ({ infrastructure: { existing: { identities: { controlPlane: ACCOUNT, worker: ACCOUNT } } } }),
      without: ['ServiceAccount', 'ProjectIAMMember', 'ServiceAccountIAMMember'],
    },
    {
      part: 'load balancer',
      owned: [
        () => [
          { kind: 'Address', name: 'api', forProvider: { region: GCP, addressType: 'EXTERNAL' } },
          { kind: 'RegionHealthCheck', name: 'api', forProvider: { region: GCP, tcpHealthCheck: { port: 6443 } } },
          {
            kind: 'NetworkEndpointGroup',
            name: 'api-b',
            forProvider: { zone: ZONE, networkEndpointType: 'GCE_VM_IP' },
          },
        ],
        (seen) => [
          {
            kind: 'RegionBackendService',
            name: 'api',
            forProvider: {
              region: GCP,
              loadBalancingScheme: 'EXTERNAL',
              protocol: 'TCP',
              healthChecks: ['api'],
              backend: [{ group: seen('api-b', 'selfLink'), balancingMode: 'CONNECTION' }],
            },
          },
        ],
        () => [
          {
            kind: 'ForwardingRule',
            name: 'api',
            forProvider: { region: GCP, ipAddress: 'api', backendService: 'api', ports: ['6443'] },
          },
        ],
      ],
      claim: (seen) => ({
        controlPlane: { ...endpoint(seen('Address api', 'address')), machine: { class: 'standard-2', zones: [ZONE] } },
        infrastructure: { existing: { loadBalancerTargets: [{ id: `${ZONE}/api-b` }] } },
      }),
      without: ['ForwardingRule', 'RegionBackendService', 'RegionHealthCheck', 'NetworkEndpointGroup'],
    },
    {
      part: 'endpoint alone',
      owned: [],
      claim: () => ({ controlPlane: endpoint('203.0.113.10') }),
      without: ['ForwardingRule', 'RegionBackendService', 'RegionHealthCheck', 'NetworkEndpointGroup'],
    },
    {
      part: 'encryption key',
      owned: [],
      claim: () => ({ infrastructure: { existing: { encryptionKey: { id: KEY } } } }),
      without: [],
    },
  ],
};
