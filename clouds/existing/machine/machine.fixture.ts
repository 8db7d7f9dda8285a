/** A Machine on a host of somebody else and its cluster, as the machine step is called with them. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { aCluster, aMachine, anInfrastructure, anInput, call } from '../../../functions/machine/machine.fixture.ts';

const ENDPOINT = { id: 'api.prod.example.com:6443', port: 6443 };

/** As its cluster reports it: nodes are known by their names. */
const { providerIDFormat: _none, ...NEUTRAL_INFRASTRUCTURE } = anInfrastructure({
  cloud: 'existing',
  region: 'eu-west',
  failureDomains: [
    { name: 'rack-1', subnet: 'rack-1' },
    { name: 'rack-2', subnet: 'rack-2' },
  ],
  controlPlane: { securityGroups: [], loadBalancerTargets: [ENDPOINT] },
  worker: { securityGroups: [], loadBalancerTargets: [] },
  tags: {},
});
const { aws: _aws, ...NEUTRAL } = anInput();
const INPUT = {
  ...NEUTRAL,
  cloud: 'existing',
  classes: { 'standard-4': 'r640' },
  images: { 'ubuntu-24.04/v1.35.4': { global: 'noble-v1.35.4' } },
};

export const reply = (spec: JsonObject, observed: Readonly<Record<string, KubeObject>> = {}, status?: JsonObject) =>
  call({
    machine: aMachine({ failureDomain: 'rack-1', ...spec }, status),
    clusters: [aCluster(NEUTRAL_INFRASTRUCTURE)],
    input: INPUT,
    observed,
  });

/** The claim of a host. @param observed as it is */
export async function hostClaim(spec: JsonObject, observed?: KubeObject): Promise<KubeObject> {
  const { resources } = await reply(spec, observed === undefined ? {} : { host: observed });
  const made = resources.get('host')?.resource;
  if (made === undefined) throw new Error('the machine step made no claim of a host');
  return made;
}
