/**
 * Permissions of machines in Azure: an identity for each of the two kinds of machine, its roles, and its vault. Each kind
 * has a vault of its own, because the first-boot data of a control-plane machine contains the keys of the cluster, and
 * a role cannot be limited to some secrets of a vault by their names.
 */
import { stringAt } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { idIn, lastPart, stableGuid, vaultOf } from '../ids.ts';
import { nameIn, vaultName } from '../names.ts';
import { output } from '#lib/cloud/observed.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import { GROUP, idGiven, kept, known, lookedAt, managed, type Observed } from './resource.ts';
import { type Grant, grantKey, grantsOf, MACHINE_ROLES, type MachineRole } from './roles.ts';
import type { Site } from './site.ts';
import type { Situation } from './situation.ts';
import { clusterTags } from './tags.ts';

const IDENTITIES = 'Microsoft.ManagedIdentity/userAssignedIdentities';

export function identity(site: Site, situation: Situation): readonly Entry[] {
  return MACHINE_ROLES.flatMap((role) => identityOf(site, role, situation));
}

const vaultKey = (role: MachineRole): string => `vault-${role}`;

/** Composition resource name of an identity: made, or of somebody else. */
const identityKey = (role: MachineRole, { existing: { identities } }: Site): string =>
  identities === undefined ? `identity-${role}` : `existing-identity-${role}`;

/** The id of the identity of a role, once the cloud told. */
export function identityId(role: MachineRole, site: Site, observed: Observed): string | undefined {
  const { identities } = site.existing;
  if (identities !== undefined) return identities[role === 'node' ? 'worker' : 'controlPlane'];
  return output(observed.get(identityKey(role, site)), 'id');
}

/** The id of the vault of a role, once the cloud told. */
export function vaultId(role: MachineRole, observed: Observed): string | undefined {
  return output(observed.get(vaultKey(role)), 'id');
}

function identityOf(site: Site, role: MachineRole, situation: Situation): readonly Entry[] {
  const { observed } = situation;
  return [
    ...userIdentity(site, role, observed),
    ...vault(site, role, situation),
    ...grantsIn(site, role, observed).flatMap((grant) => grantOf(site, role, grant, observed)),
  ];
}

/** One of somebody else is looked at only: its principal and tenant are needed, and no more of it. */
function userIdentity(site: Site, role: MachineRole, observed: Observed): readonly Entry[] {
  const key = identityKey(role, site);
  if (site.existing.identities === undefined)
    return known(
      site,
      'UserAssignedIdentity',
      key,
      observed,
      { name: nameIn(site.id, role), tags: clusterTags(site) },
      (group) => idIn(group, IDENTITIES, nameIn(site.id, role)),
    );
  return [lookedAt(site, 'UserAssignedIdentity', key, identityId(role, site, observed) ?? '')];
}

/**
 * On what is only of this cluster. An identity of somebody else gets nothing in registries, and nobody gets anything in
 * a resource group of somebody else, where other clusters may be.
 */
function grantsIn({ existing, input }: Site, role: MachineRole, observed: Observed): readonly Grant[] {
  const { controllerRoles, registries } = input.azure;
  return grantsOf(role, {
    group: output(observed.get(GROUP), 'id'),
    vault: vaultId(role, observed),
    controllerRoles: controllerRoles && existing.resourceGroup === undefined,
    registries: existing.identities === undefined ? registries : [],
  });
}

/** It needs the tenant, which its identity tells. */
function vault(site: Site, role: MachineRole, { observed, previous }: Situation): readonly Entry[] {
  const key = vaultKey(role);
  const tenantId = output(observed.get(identityKey(role, site)), 'tenantId');
  if (tenantId === undefined) return kept(key, observed);
  const before = previous.infrastructure?.[role === 'node' ? 'worker' : 'controlPlane']?.firstBootSecrets;
  const name =
    observed.get(key)?.metadata?.annotations?.[CROSSPLANE.externalName] ??
    (before === undefined ? vaultName(site.id, site.uid, role) : lastPart(vaultOf(before)));
  return [
    managed(
      site,
      'Vault',
      key,
      {
        skuName: 'standard',
        tenantId,
        rbacAuthorizationEnabled: true,
        // The least that Azure has, in days; first-boot data is not needed again.
        softDeleteRetentionDays: 7,
        tags: clusterTags(site),
      },
      name,
    ),
  ];
}

/** Who an identity is, and what a role is for, is known only once both exist. Nothing of a role can change. */
function grantOf(site: Site, role: MachineRole, grant: Grant, observed: Observed): readonly Entry[] {
  const key = grantKey(role, grant.key);
  const principalId = output(observed.get(identityKey(role, site)), 'principalId');
  if (principalId === undefined || grant.scope === undefined) return kept(key, observed);
  const made = observed.get(key);
  const given = idGiven(made);
  // A role that is under way without a name gets one from Azure.
  const name =
    made === undefined
      ? stableGuid([site.uid, grant.scope, grant.role, principalId])
      : (stringAt(made, 'spec', 'forProvider', 'name') ?? (given === undefined ? undefined : lastPart(given)));
  const id = given ?? (name && idIn(grant.scope, 'Microsoft.Authorization/roleAssignments', name));
  const forProvider = {
    ...(name === undefined ? {} : { name }),
    scope: grant.scope,
    roleDefinitionName: grant.role,
    principalId,
    principalType: 'ServicePrincipal',
    // The directory learns of a new identity a while after it exists.
    skipServicePrincipalAadCheck: true,
  };
  return [managed(site, 'RoleAssignment', key, forProvider, id)];
}
