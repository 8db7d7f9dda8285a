/** Reads what the provider reports; a value of another type is refused with the name of the object. */
import { SlipwayError } from '#lib/api/errors.ts';
import { whyNotReady as whyNotManaged } from '#lib/api/conditions.ts';
import { type KubeObject, at, own } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';

/** A text of status.atProvider; undefined while the provider has not reported it. */
export function output(object: KubeObject | undefined, field: string): string | undefined {
  const value = at(object, 'status', 'atProvider', field);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  const cause = `status.atProvider.${field}: a ${typeof value} is not accepted; accepted: a string`;
  throw new SlipwayError('InvalidObserved', `cannot read ${describeObject(object ?? {})}: ${cause}`);
}

/** Fields of a kind that other objects need; without them an object is not ready, whatever its conditions say. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  ResourceGroup: ['id'],
  VirtualNetwork: ['id'],
  Subnet: ['id'],
  ApplicationSecurityGroup: ['id'],
  SecurityGroup: ['id'],
  PublicIP: ['id', 'ipAddress'],
  LoadBalancerBackendAddressPool: ['id'],
  LoadBalancerProbe: ['id'],
  UserAssignedIdentity: ['id', 'principalId', 'tenantId'],
  Vault: ['id'],
};

/** Why a managed resource is not ready, including what others need of it; undefined if it is. */
export function whyNotReady(object: KubeObject | undefined): string | undefined {
  const why = whyNotManaged(object);
  if (why !== undefined || object === undefined) return why;
  const missing = (own(NEEDED, object.kind) ?? []).find((field) => output(object, field) === undefined);
  return missing === undefined ? undefined : `${missing} not known yet`;
}
