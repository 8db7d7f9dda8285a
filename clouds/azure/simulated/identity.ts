/** Identities, and roles that take minutes until they are known everywhere. */
import { stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import type { Region } from '#simulator/cloud/region.ts';
import { azureKind, groupPath, TENANT } from './kind.ts';
import { notFound } from './network.ts';
import { refusedWith } from './refusal.ts';

const PREFIX = 'identity-';

export const IDENTITY: readonly CloudKind[] = [
  azureKind('managedidentity', {
    kind: 'UserAssignedIdentity',
    title: 'User Assigned Identity',
    idPrefix: PREFIX,
    knownByPath: true,
    path: (_, attributes) =>
      `${groupPath(attributes)}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${stringAt(attributes, 'name') ?? ''}`,
    forceNew: ['location', 'name', 'resourceGroupName'],
    created: ({ id }) => ({
      outputs: { principalId: principalOf(id), clientId: principalOf(id, 'c'), tenantId: TENANT },
    }),
  }),
  azureKind('authorization', {
    kind: 'RoleAssignment',
    title: 'Role Assignment',
    idPrefix: 'role-',
    knownByPath: true,
    path: (name, attributes) =>
      `${stringAt(attributes, 'scope') ?? ''}/providers/Microsoft.Authorization/roleAssignments/${stringAt(attributes, 'name') ?? name}`,
    seconds: { create: [60, 240], update: [5, 10], delete: [5, 20] },
    forceNew: [
      'condition',
      'conditionVersion',
      'delegatedManagedIdentityResourceId',
      'description',
      'name',
      'principalId',
      'principalType',
      'roleDefinitionId',
      'roleDefinitionName',
      'scope',
    ],
    refuses: (attributes, find) => {
      const scope = stringAt(attributes, 'scope') ?? '';
      if (scope.includes('/Microsoft.ContainerRegistry/') || find(scope) !== undefined)
        return find(identityOf(stringAt(attributes, 'principalId') ?? '')) === undefined
          ? refusedWith(
              'PrincipalNotFound',
              `Principal ${stringAt(attributes, 'principalId') ?? ''} does not exist in the directory ${TENANT}.`,
            )
          : undefined;
      return notFound(scope);
    },
  }),
];

/** Random, but for a test that must find the identity of a principal. @param first character of its third part */
function principalOf(id: string, first = '4'): string {
  const hex = id.slice(PREFIX.length);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${first}000-8000-0000000${hex.slice(12, 17)}`;
}

function identityOf(principal: string): string {
  const [a = '', b = '', , , e = ''] = principal.split('-');
  return `${PREFIX}${a}${b}${e.slice(7)}`;
}

/** Why an identity has no role for something. @param identity its id */
export function denied({ things }: Region, identity: string, role: string, target: string): string | undefined {
  const one = things.find(({ kind, arn }) => kind.kind === 'UserAssignedIdentity' && arn === identity);
  const principal = one?.outputs['principalId'];
  const grants = things.filter(
    ({ kind, attributes }: CloudObject) =>
      kind.kind === 'RoleAssignment' &&
      attributes['principalId'] === principal &&
      attributes['roleDefinitionName'] === role,
  );
  const isAllowed = grants.some(({ attributes }) => target.startsWith(`${stringAt(attributes, 'scope') ?? ''}/`));
  if (one !== undefined && isAllowed) return undefined;
  return refusedWith('Forbidden', 'Caller is not authorized to perform action on resource.', '403 (403 Forbidden)');
}
