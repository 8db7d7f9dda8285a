/** Ids of Azure: /subscriptions/<subscription>/resourceGroups/<group>/providers/<type>/<name>. */

const GROUP = '/subscriptions/[^/]+/resourceGroups/[^/]+';

export const NETWORK_ID = new RegExp(`^${GROUP}/providers/Microsoft\\.Network/virtualNetworks/[^/]+$`);

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
