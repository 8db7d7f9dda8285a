/** Hosts of somebody else, for the cluster step: nothing is composed, and machines can be created at once. */
import { own } from '#lib/api/json.ts';
import { isLabelled } from '#lib/fn/keep.ts';
import { whyNotReady } from '#lib/api/conditions.ts';
import type { Infrastructure, InfrastructureCloud, KnownInfrastructure } from '#lib/cloud/infrastructure.ts';
import { API } from '#lib/cloud/traffic.ts';
import { MACHINE_KINDS } from '../kinds.ts';
import { OVERRIDABLE } from '../overridable.ts';
import { REFERENCES } from './references.ts';
import { endpointOf } from './endpoint.ts';
import { ExistingInput } from './input.ts';
import type { Input, Situation } from './situation.ts';

export const existing: InfrastructureCloud<Input> & { readonly input: typeof ExistingInput } = {
  title: 'existing hosts',
  references: REFERENCES,
  overridable: OVERRIDABLE,
  input: ExistingInput,
  plan,
  whyNotReady,
  mustStay: (object) => object.kind !== 'Secret' && isLabelled(object),
  machineKinds: MACHINE_KINDS,
  controlPlane: 'machines',
  anyAddresses: true,
};

function plan(situation: Situation): Infrastructure {
  const endpoint = endpointOf(situation);
  const { host, port } = endpoint;
  const { joinPorts } = situation.traffic;
  const targets = [
    { id: `${host}:${port}`, port: API.port },
    ...joinPorts.map((one) => ({ id: `${host}:${one.port}`, port: one.port })),
  ];
  const region = regionOf(situation);
  const status: KnownInfrastructure = {
    contract: 1,
    cloud: 'existing',
    region,
    apiAccess: {},
    failureDomains: failureDomains(situation, region),
    controlPlane: { securityGroups: [], loadBalancerTargets: targets },
    worker: { securityGroups: [], loadBalancerTargets: [] },
    tags: {},
  };
  return { resources: new Map(), status, complete: true, endpoint, notes: [] };
}

/** A cluster stays where it is, whatever the Composition maps now. */
function regionOf({ cluster, input, previous }: Situation): string {
  const word = cluster.spec.region;
  return previous.infrastructure?.region ?? own(input.regions, word) ?? word;
}

/** Those of the Composition, and those that machines may be in already. */
function failureDomains({ input, previous }: Situation, region: string): KnownInfrastructure['failureDomains'] {
  const before = previous.infrastructure?.failureDomains ?? [];
  const names = new Set([...(own(input.zones, region) ?? []), ...before.map(({ name }) => name)]);
  // A subnet is required by the contract; nothing here reads it.
  return [...names].toSorted().map((name) => ({ name, subnet: name, controlPlane: true }));
}
