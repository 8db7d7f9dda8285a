/**
 * Roles of machines: reading their first-boot data, pulling images of the platform's registries and, on control planes,
 * what controllers of Azure need in the resource group of the cluster.
 */
import { shortHash } from '#lib/api/names.ts';

export type MachineRole = 'control-plane' | 'node';

export const MACHINE_ROLES: readonly MachineRole[] = ['control-plane', 'node'];

export interface Grant {
  /** Part of a composition resource name. */
  readonly key: string;
  /** Name of a built-in role. */
  readonly role: string;
  /** Id of what it is for; undefined while that is not known. */
  readonly scope: string | undefined;
}

export interface Granted {
  /** Ids. */
  readonly group: string | undefined;
  readonly vault: string | undefined;
  readonly controllerRoles: boolean;
  readonly registries: readonly string[];
}

/** Reads and lists the secrets of its vault, and cannot change or delete them: Slipway deletes first-boot data. */
const READS_SECRETS = 'Key Vault Secrets User';

const CONTROLLERS = [
  { key: 'machines', role: 'Virtual Machine Contributor' },
  { key: 'network', role: 'Network Contributor' },
  { key: 'snapshots', role: 'Disk Snapshot Contributor' },
] as const;

const REGISTRY = 'registry-';

export function grantsOf(role: MachineRole, { group, vault, controllerRoles, registries }: Granted): readonly Grant[] {
  return [
    { key: 'secrets', role: READS_SECRETS, scope: vault },
    ...registries.map((id) => ({ key: `${REGISTRY}${shortHash(id, 6)}`, role: 'AcrPull', scope: id })),
    ...(role === 'control-plane' && controllerRoles ? CONTROLLERS.map((one) => ({ ...one, scope: group })) : []),
  ];
}

export function grantKey(role: MachineRole, part: string): string {
  return `iam-${role}-${part}`;
}

/** Composition resource names of the roles that a machine may get, for any claim and Composition. */
export function isKnownGrant(key: string): boolean {
  const parts = ['secrets', ...CONTROLLERS.map(({ key: part }) => part)];
  return MACHINE_ROLES.some(
    (role) => key.startsWith(grantKey(role, REGISTRY)) || parts.some((part) => key === grantKey(role, part)),
  );
}
