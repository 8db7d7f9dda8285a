/** AWS for the cluster step: everything is desired at once, and references resolve when ids become known. */
import type { KubeObject } from '#lib/api/json.ts';
import { isLabelled } from '#lib/fn/keep.ts';
import type { Endpoint, Infrastructure, InfrastructureCloud } from '#lib/cloud/infrastructure.ts';
import { API } from '#lib/cloud/traffic.ts';
import { isOfAws, MACHINE_KINDS } from '../kinds.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { OVERRIDABLE } from '../overridable.ts';
import type { Input, Situation } from './situation.ts';
import { AwsInput } from './input.ts';
import { accessNotes } from './api-access.ts';
import { flowLog } from './flow-log.ts';
import { identity } from './identity.ts';
import { loadBalancer } from './load-balancer.ts';
import { network } from './network.ts';
import { output, whyNotReady } from './observed.ts';
import { routes } from './routes.ts';
import { isKnownRule, securityGroups } from './security-groups.ts';
import { type Site, mappedRegion, siteOf } from './site.ts';
import { isComplete, statusOf } from './status.ts';

export const aws: InfrastructureCloud<Input> & { readonly input: typeof AwsInput } = {
  title: 'AWS',
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
      ...(composed === undefined ? [] : [...network(site, composed), ...routes(site, composed), ...flowLog(site)]),
      ...securityGroups(site, situation.observed),
      ...loadBalancer(site),
      ...identity(site),
    ]),
    status,
    complete: isComplete(site, status),
    endpoint: endpointOf(situation),
    notes: notesOf(site, situation),
  };
}

/** Certificates and nodes use the first endpoint, so it stays the same even if the load balancer changes its name. */
function endpointOf({ cluster, previous, observed }: Situation): Endpoint | undefined {
  const known = cluster.spec.controlPlane.endpoint ?? previous.controlPlaneEndpoint;
  if (known !== undefined) return { host: known.host, port: known.port };
  const host = output(observed.get('lb-api'), 'dnsName');
  return host === undefined ? undefined : { host, port: API.port };
}

function notesOf(site: Site, situation: Situation): readonly string[] {
  const mapped = mappedRegion(situation);
  const host = output(situation.observed.get('lb-api'), 'dnsName');
  const known = situation.previous.controlPlaneEndpoint?.host;
  return [
    ...(mapped === site.region
      ? []
      : [`the cluster stays in ${site.region}, although the Composition now maps its region to ${mapped}`]),
    ...(host === undefined || known === undefined || host === known
      ? []
      : [`the load balancer now has the address ${host}, but certificates and nodes use ${known}`]),
    ...accessNotes(situation, site.api, site.loadBalancer),
  ];
}

const RULES: ReadonlySet<string> = new Set(['SecurityGroupIngressRule', 'SecurityGroupEgressRule']);

/**
 * Machines may depend on anything except a rule and a flow log: a network block removed from the claim must lose its
 * access. A rule that this release would never create belongs to another release and stays.
 */
function mustStay(object: KubeObject, key: string, { anyTraffic }: Situation): boolean {
  const { kind } = object;
  if (!isOfAws(object)) return kind !== 'Secret' && isLabelled(object);
  if (kind === 'FlowLog') return false;
  return !RULES.has(kind) || !isKnownRule(object, key, anyTraffic);
}
