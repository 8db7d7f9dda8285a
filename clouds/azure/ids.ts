/** Ids of Azure: /subscriptions/<subscription>/resourceGroups/<group>/providers/<type>/<name>. */

import { createHash } from 'node:crypto';

const GROUP = '/subscriptions/[^/]+/resourceGroups/[^/]+';

const idOf = (type: string): RegExp => new RegExp(`^${GROUP}/providers/${type.replace('.', '\\.')}/[^/]+$`);

export const GROUP_ID = new RegExp(`^${GROUP}$`);
export const NETWORK_ID = idOf('Microsoft.Network/virtualNetworks');
export const SECURITY_GROUP_ID = idOf('Microsoft.Network/networkSecurityGroups');
export const MACHINE_GROUP_ID = idOf('Microsoft.Network/applicationSecurityGroups');
export const POOL_ID = idOf('Microsoft.Network/loadBalancers/[^/]+/backendAddressPools');
export const IDENTITY_ID = idOf('Microsoft.ManagedIdentity/userAssignedIdentities');
export const KEY_ID = idOf('Microsoft.Compute/diskEncryptionSets');

/** @param group the id of a resource group @param type such as Microsoft.Network/networkInterfaces */
export function idIn(group: string, type: string, name: string): string {
  return `${group}/providers/${type}/${name}`;
}

/** A GUID that is the same for the same words. */
export function stableGuid(words: readonly string[]): string {
  const hex = createHash('sha1').update(JSON.stringify(words)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Azure compares ids without case, and answers with other capitals than it was given. */
export function isSameId(left: string | undefined, right: string | undefined): boolean {
  return left?.toLowerCase() === right?.toLowerCase();
}

/** The last part of an id. */
export function lastPart(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

/** The id of the secrets of a vault, as a prefix: machines of one role boot from them. */
export function secretsOf(vault: string): string {
  return `${vault}/secrets/`;
}

/** The id of the vault in such a prefix. */
export function vaultOf(secrets: string): string {
  return secrets.replace(/\/secrets\/$/, '');
}
