/** Values of claims on hosts of somebody else, for the test that no field of a claim is ignored. */
import type { KubeObject } from '#lib/api/json.ts';
import { EXISTING_SUPPORT } from './support.ts';
import type { FlavourSamples } from '../../test/claims/flavour.ts';

const OVERRIDE = { kind: 'HostClaim', patch: { spec: { forProvider: { image: 'other' } } } };

/** Fields of lists of which nothing is accepted: the list is refused. */
const WHOLE = Object.keys(EXISTING_SUPPORT.fields).filter((field) =>
  /^infrastructure\.existing\.(subnets|loadBalancerTargets)\[\]/.test(field),
);

export const CLAIMS: FlavourSamples = {
  instanceTypes: ['r640', 'r740'],
  image: 'debian',
  diskTypes: ['nvme', 'ssd'],
  zone: 'rack-2',
  before: [...hostsOf('standard-2'), ...hostsOf('standard-4')],
  cluster: { controlPlane: { scheme: null, allowedCIDRs: null } },
  existing: { subnets: [{ id: 'vlan-1', zone: 'rack-1' }] },
  refusedFirst: {
    ...Object.fromEntries(WHOLE.map((field) => [field, field.slice(0, field.indexOf('[]'))])),
    'infrastructure.existing.securityGroups.worker': 'infrastructure.existing.securityGroups.controlPlane',
    'infrastructure.existing.identities.worker': 'infrastructure.existing.identities.controlPlane',
  },
  other: { network: 'wan', subnet: 'vlan-2', zone: 'rack-2' },
  parts: {
    securityGroups: ['one', 'two'],
    identities: ['one', 'two'],
    loadBalancerTargets: ['one', 'two'],
    resourceGroups: ['one', 'two'],
    encryptionKeys: ['one', 'two'],
  },
  overrides: [OVERRIDE, OVERRIDE],
};

function hostsOf(size: string): readonly KubeObject[] {
  return [1, 2, 3].map((rack) => ({
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'Host',
    metadata: { name: `rack-${rack}-${size}`, namespace: 'team-a' },
    spec: { size, failureDomain: `rack-${rack}`, addresses: [{ type: 'InternalIP', address: `192.0.2.${rack}` }] },
  }));
}
