/**
 * What the platform lets claims of this Composition choose: whoever may write a claim does not own the account. What was
 * accepted stays when a limit comes later: the claim goes on, and only what is new is refused.
 */
import { includes, parseCidr } from '#lib/api/cidr.ts';
import { fieldAndCause, type SlipwayError } from '#lib/api/errors.ts';
import type { Existing, Override } from '#lib/api/fields/infrastructure.ts';
import { at } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { INPUT_NAME } from '#lib/cloud/cluster-input.ts';
import type { Said } from '#lib/cloud/fields.ts';
import type { InfrastructureCloud } from '#lib/cloud/infrastructure.ts';
import { ANY, outsideLimits, withinLimit } from '#lib/cloud/limits.ts';
import type { NativeNames } from '#lib/cloud/native-names.ts';
import { acceptedOf, mayBeEndpoint } from '#lib/cloud/targets.ts';
import { overrideBeside } from '#lib/cloud/overrides-beside-fields.ts';
import { cloudFieldsOf } from '#clouds/fields.ts';
import { CONTROL_PLANE, poolHas, poolHasField } from './control-plane.ts';
import type { Situation } from './situation.ts';
import { isBetween, isNewCluster } from './stage.ts';
import { asWritten, type ReferenceFields } from './reference-fields.ts';

/** A choice that the platform does not allow. */
interface Outside {
  readonly error: SlipwayError;
  /** The cluster has it already: a limit that comes later does not take it away. */
  readonly isThere: boolean;
}

/** What is outside the limits, and does not stop what exists. */
interface Kept {
  /** A phrase each. */
  readonly notes: readonly string[];
  /** Why the control plane is not created; undefined: it may be. */
  readonly withheld: SlipwayError | undefined;
}

type Cloud = Pick<InfrastructureCloud<never>, 'controlPlane' | 'nativeNames'>;

/**
 * Throws InvalidClaim for the first choice outside that the cluster does not have yet. Of a cluster that has
 * infrastructure and no control plane yet, nobody knows with which machines it was accepted: its infrastructure goes on,
 * and it gets none.
 * @param written  fields of the claim, where it names managed resources
 * @param overrides  with every patch at hand
 */
export function refuseOutside(
  situation: Situation,
  { controlPlane, nativeNames }: Cloud,
  written: ReferenceFields,
  overrides: readonly Override[],
): Kept {
  const ofMachines =
    controlPlane === 'machines'
      ? [...machines(situation, nativeNames, overrides), ...beside(situation, overrides)]
      : [];
  const isWaiting = isBetween(situation);
  const outside = [...chosenOnce(situation), ...blocks(situation), ...(isWaiting ? [] : ofMachines)];
  const chosenNow = outside.find(({ isThere }) => !isThere);
  if (chosenNow !== undefined) throw chosenNow.error;
  const waiting = isWaiting ? ofMachines : [];
  return {
    notes: outside.map(
      ({ error }) => `${fieldAndCause(asWritten(error, written, situation.owner))}; the cluster keeps it`,
    ),
    withheld: waiting[0]?.error,
  };
}

export function noControlPlane(error: SlipwayError): string {
  return `no control plane is created: ${fieldAndCause(error)}`;
}

/** What a cluster began with it keeps: the API server refuses every change of it. */
function chosenOnce(situation: Situation): readonly Outside[] {
  const { cluster, input, owner, previous } = situation;
  const { networks, subnets, regions, endpoints } = input.limits;
  const { region } = cluster.spec;
  const { existing } = cluster.spec.infrastructure;
  const known = previous.infrastructure;
  const isPlaced = known?.network !== undefined && known.network.id === existing.network?.id;
  const found: Outside[] = [];
  const { endpoint } = cluster.spec.controlPlane;
  if (endpoint !== undefined && !mayBeEndpoint(endpoint.host, endpoints)) {
    const error = outside(owner, 'controlPlane.endpoint.host', endpoint.host, 'endpoints', acceptedOf(endpoints));
    // It is chosen once: of a cluster that has another one, that is said.
    found.push({ error, isThere: previous.controlPlaneEndpoint !== undefined || !isNewCluster(situation) });
  }
  const judge = (
    field: string,
    id: string,
    limit: Limit,
    accepted: readonly string[] | undefined,
    isThere: boolean,
  ) => {
    if (accepted !== undefined && !accepted.includes(ANY) && !accepted.includes(id))
      found.push({ error: outside(owner, field, id, limit, accepted), isThere });
  };
  judge('region', region, 'regions', regions, known !== undefined);
  if (existing.network !== undefined)
    judge(`${EXISTING}.network.id`, existing.network.id, 'networks', networks, isPlaced);
  for (const [i, { id }] of existing.subnets.entries())
    judge(`${EXISTING}.subnets[${i}].id`, id, 'subnets', subnets, isPlaced);
  const kept = known?.existing === undefined ? [] : namedParts(known.existing);
  for (const { limit, role, field, id } of namedParts(existing)) {
    const isThere = kept.some((one) => one.limit === limit && one.role === role && one.id === id);
    judge(`${EXISTING}.${field}`, id, limit, input.limits[limit], isThere);
  }
  return found;
}

/** Who may reach the API can change: the blocks that were accepted are in the status. */
function blocks({ cluster, input, owner, previous }: Situation): readonly Outside[] {
  const { allowedCIDRs: limit } = input.limits;
  if (limit === undefined) return [];
  const kept = previous.controlPlane?.allowedCIDRs ?? [];
  return (cluster.spec.controlPlane.allowedCIDRs ?? []).flatMap((block, i) => {
    if (isInside(block, limit)) return [];
    const error = outside(owner, `controlPlane.allowedCIDRs[${i}]`, block, 'allowedCIDRs', limit);
    return [{ error, isThere: kept.includes(block) }];
  });
}

/** A control plane that has it keeps it, for as many machines as it has; what the release says stops no growth. */
function machines(
  situation: Situation,
  names: NativeNames | undefined,
  overrides: readonly Override[],
): readonly Outside[] {
  const { cluster, input, owner, observed } = situation;
  const { machine, replicas } = cluster.spec.controlPlane;
  const pool = observed.get(CONTROL_PLANE);
  const isGrowing = replicas > Number(at(pool?.spec, 'replicas') ?? 0);
  return outsideLimits(machine, input.limits, input, names, overrides).map(
    ({ made, field, value, limit, accepted, meant }) => ({
      error: outside(owner, `controlPlane.machine.${field}`, value, limit, [accepted], meant),
      isThere: (limit === undefined || !isGrowing) && made.every((one) => poolHasField(situation, one.path, one.value)),
    }),
  );
}

/** An override of its machines that says otherwise than the claim. */
function beside(situation: Situation, overrides: readonly Override[]): readonly Outside[] {
  const { cluster, input, owner } = situation;
  const { machine } = cluster.spec.controlPlane;
  const isThere = (override: Override, field: keyof Said): boolean =>
    poolHas(situation, override) && poolHasField(situation, [field], machine[field]);
  const fields = cloudFieldsOf(input.cloud);
  const error = overrideBeside('spec.controlPlane.machine', machine, overrides, fields, owner, isThere);
  return error === undefined ? [] : [{ error, isThere: false }];
}

type Limit = keyof Situation['input']['limits'];

function outside(
  owner: string,
  field: string,
  value: unknown,
  limit: Limit | undefined,
  accepted: readonly string[],
  meant?: string,
): SlipwayError {
  return refusal(owner, `spec.${field}`, value, withinLimit(accepted.join(', '), limit, INPUT_NAME, meant));
}

const EXISTING = 'infrastructure.existing';

interface NamedPart {
  readonly limit: 'securityGroups' | 'identities' | 'loadBalancerTargets' | 'resourceGroups' | 'encryptionKeys';
  /** Of the machines that have it; control planes register with targets. */
  readonly role: 'controlPlane' | 'worker' | 'both';
  /** Below spec.infrastructure.existing. */
  readonly field: string;
  readonly id: string;
}

type Parts = Pick<Existing, 'securityGroups' | 'identities' | 'resourceGroup' | 'encryptionKey'> & {
  readonly loadBalancerTargets?: readonly { readonly id: string }[] | undefined;
};

/** What gives machines rights, lets traffic to them, or is shared with others. */
function namedParts(parts: Parts): readonly NamedPart[] {
  const { securityGroups, identities, loadBalancerTargets = [], resourceGroup, encryptionKey } = parts;
  const roles = ['controlPlane', 'worker'] as const;
  return [
    ...roles.flatMap((role) =>
      (securityGroups?.[role] ?? []).map((id, i) => ({
        limit: 'securityGroups' as const,
        role,
        field: `securityGroups.${role}[${i}]`,
        id,
      })),
    ),
    ...(identities === undefined
      ? []
      : roles.map((role) => ({
          limit: 'identities' as const,
          role,
          field: `identities.${role}`,
          id: identities[role],
        }))),
    ...loadBalancerTargets.map(({ id }, i) => ({
      limit: 'loadBalancerTargets' as const,
      role: 'controlPlane' as const,
      field: `loadBalancerTargets[${i}].id`,
      id,
    })),
    ...alone('resourceGroup', resourceGroup),
    ...alone('encryptionKey', encryptionKey),
  ];
}

/** Of every machine. */
function alone(part: 'resourceGroup' | 'encryptionKey', named: { readonly id: string } | undefined): NamedPart[] {
  return named === undefined ? [] : [{ limit: `${part}s`, role: 'both', field: `${part}.id`, id: named.id }];
}

function isInside(text: string, blocks: readonly string[]): boolean {
  const block = parseCidr(text);
  return (
    block !== undefined &&
    blocks.some((one) => {
      const outer = parseCidr(one);
      return outer !== undefined && includes(outer, block);
    })
  );
}
