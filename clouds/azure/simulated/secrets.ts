/** Key Vault: vaults, secrets, and a machine that reads the parts of one as its identity may. */
import { at, stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import type { SecretAnswer } from '#simulator/cloud/machine.ts';
import type { Region } from '#simulator/cloud/region.ts';
import { denied } from './identity.ts';
import { azureKind, inGroup, TENANT, textsIn } from './kind.ts';
import { notFound } from './network.ts';
import { refusedWith } from './refusal.ts';

/** Maximum size of a value, in bytes. */
const LIMIT = 25_600;

export const SECRETS: readonly CloudKind[] = [
  azureKind('keyvault', {
    kind: 'Vault',
    title: 'Key Vault',
    path: inGroup('Microsoft.KeyVault/vaults'),
    seconds: { create: [30, 90], update: [5, 15], delete: [5, 20] },
    forceNew: ['location', 'resourceGroupName'],
    refuses: (attributes) =>
      attributes['tenantId'] === TENANT
        ? undefined
        : refusedWith(
            'BadRequest',
            `The tenant ID '${stringAt(attributes, 'tenantId') ?? ''}' is not the one of the subscription.`,
          ),
  }),
  azureKind('keyvault', {
    kind: 'Secret',
    title: 'Secret',
    idPrefix: 'secret-',
    // internal/services/keyvault/key_vault_secret_resource.go of terraform-provider-azurerm: each version is read as the newest.
    knownByPath: (arn) => arn.slice(0, arn.lastIndexOf('/')),
    path: (version, attributes) => `${addressOf(attributes)}/${version}`,
    forceNew: ['keyVaultId', 'name'],
    references: { keyVaultId: 'Vault' },
    sensitive: ['value'],
    hidden: ['value'],
    refuses: (attributes, find) => {
      const id = stringAt(attributes, 'keyVaultId') ?? '';
      if (find(id) === undefined) return notFound(id);
      if (Buffer.byteLength(stringAt(attributes, 'value') ?? '') <= LIMIT) return undefined;
      return refusedWith('BadParameter', 'The secret value exceeds the maximum size of 25k characters.');
    },
  }),
];

function addressOf(attributes: CloudObject['attributes']): string {
  const vault = stringAt(attributes, 'keyVaultId') ?? '';
  return `https://${vault.slice(vault.lastIndexOf('/') + 1)}.vault.azure.net/secrets/${stringAt(attributes, 'name') ?? ''}`;
}

/** The answer to a machine that asks for a secret: as it is, or the parts of it together, which are in base64. */
export function readSecret(region: Region, machine: CloudObject, address: string): SecretAnswer {
  const found = region.things
    .filter(
      ({ kind, attributes }) => kind.kind === 'Secret' && 'keyVaultId' in attributes && isPart(attributes, address),
    )
    .toSorted((a, b) => addressOf(a.attributes).localeCompare(addressOf(b.attributes), 'en', { numeric: true }));
  const [first] = found;
  if (first === undefined)
    return { refused: refusedWith('SecretNotFound', `${address} was not found in this key vault.`) };
  const [identity = ''] = textsIn(at(machine.attributes, 'identity', 'identityIds'));
  const target = `${stringAt(first.attributes, 'keyVaultId') ?? ''}/secrets/${stringAt(first.attributes, 'name') ?? ''}`;
  const refused = denied(region, identity, 'Key Vault Secrets User', target);
  if (refused !== undefined) return { refused };
  const text = found.map(({ attributes }) => stringAt(attributes, 'value') ?? '').join('');
  const isWhole = addressOf(first.attributes) === address;
  return { value: isWhole ? Buffer.from(text) : Buffer.from(text, 'base64') };
}

function isPart(attributes: CloudObject['attributes'], address: string): boolean {
  const own = addressOf(attributes);
  return own === address || (own.startsWith(`${address}-`) && /^\d+$/.test(own.slice(address.length + 1)));
}

/** The identity of a machine may read only: Slipway deletes its secrets. */
export function deletedSecret(): readonly CloudObject[] {
  return [];
}
