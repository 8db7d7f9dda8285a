/** AWS for the cluster step: everything is desired at once, and references resolve when ids become known. */
import type { KubeObject } from '#lib/api/json.ts';
import { isLabelled } from '#lib/fn/keep.ts';
import { firstEndpoint, whatStays } from '#lib/cloud/endpoint.ts';
import type { Infrastructure, InfrastructureCloud } from '#lib/cloud/infrastructure.ts';
import { isComplete } from '#lib/cloud/known-infrastructure.ts';
import { mappedRegion } from '#lib/cloud/region.ts';
import { output } from '#lib/cloud/observed.ts';
import { isOfAws, MACHINE_KINDS } from '../kinds.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { OVERRIDABLE } from '../overridable.ts';
import { REFERENCES } from './references.ts';
import type { Input, Situation } from './situation.ts';
import { AwsInput } from './input.ts';
import { accessNotes } from './api-access.ts';
import { flowLog } from './flow-log.ts';
import { identity } from './identity.ts';
import { loadBalancer } from './load-balancer.ts';
import { network } from './network.ts';
import { whyNotReady } from './observed.ts';
import { routes } from './routes.ts';
import { isKnownRule, securityGroups } from './security-groups.ts';
import { siteOf, zoneNames } from './site.ts';
import { statusOf } from './status.ts';

export const aws: InfrastructureCloud<Input> & { readonly input: typeof AwsInput } = {
  title: 'AWS',
  references: REFERENCES,
  overridable: OVERRIDABLE,
  nativeNames: NATIVE_NAMES,
  input: AwsInput,
  plan,
  whyNotReady,
  mustStay,
  machineKinds: MACHINE_KINDS,
  controlPlane: 'machines',
};

function plan(situation: Situation): Infrastructure {
  const site = siteOf(situation);
  const status = statusOf(site, situation);
  const composed = site.network.kind === 'composed' ? site.network : undefined;
  return {
    resources: new Map([
      ...(composed === undefined
        ? []
        : [...network(site, composed, situation.observed), ...routes(site, composed), ...flowLog(site)]),
      ...securityGroups(site, situation.observed),
      ...loadBalancer(site),
      ...identity(site),
    ]),
    status,
    zones: zoneNames(site),
    complete: isComplete(zoneNames(site), status),
    endpoint: firstEndpoint(situation, hostOf(situation)),
    notes: [
      ...whatStays(situation, site.region, mappedRegion(situation), hostOf(situation)),
      ...accessNotes(situation, site.api, site.loadBalancer),
    ],
  };
}

function hostOf({ observed }: Situation): string | undefined {
  return output(observed.get('lb-api'), 'dnsName');
}

const RULES: ReadonlySet<string> = new Set(['SecurityGroupIngressRule', 'SecurityGroupEgressRule']);

/**
 * Machines may depend on anything except a rule and a flow log: a network block removed from the claim must lose its
 * access. A rule that this release would never create belongs to another release and stays.
 */
function mustStay(object: KubeObject, key: string, { anyTraffic }: Pick<Situation, 'anyTraffic'>): boolean {
  const { kind } = object;
  if (!isOfAws(object)) return kind !== 'Secret' && isLabelled(object);
  if (kind === 'FlowLog') return false;
  return !RULES.has(kind) || !isKnownRule(object, key, anyTraffic);
}
