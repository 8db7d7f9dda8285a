/**
 * Roles of machines in their project: for images, logs and metrics, the cloud controller manager, the controller of the
 * Persistent Disk CSI driver, and the first boot. Where GCP can tell what belongs to a cluster by its name, a condition
 * limits the role to it; disks and snapshots have names of their own.
 */
import type { JsonObject } from '#lib/api/json.ts';

export type MachineRole = 'control-plane' | 'node';

export interface Grant {
  /** Part of a composition resource name. */
  readonly key: string;
  readonly role: string;
  readonly condition?: JsonObject;
}

const EVERY_MACHINE: readonly Grant[] = [
  { key: 'images', role: 'roles/artifactregistry.reader' },
  { key: 'logs', role: 'roles/logging.logWriter' },
  { key: 'metrics', role: 'roles/monitoring.metricWriter' },
];

/**
 * Reads the secrets that machines of a role boot from, whoever knows their names: it cannot list, change or destroy them,
 * and Slipway deletes them.
 * @param prefix of their names, which no other name begins with
 */
function firstBoot(prefix: string): readonly Grant[] {
  const condition = {
    title: 'first-boot-data',
    description: 'Secrets that these machines boot from',
    expression: `resource.name.extract("/secrets/{name}").startsWith("${prefix}")`,
  };
  return [{ key: 'secrets', role: 'roles/secretmanager.secretAccessor', condition }];
}

/** Attaches disks to machines of its own cluster only. */
function diskDriver(id: string): readonly Grant[] {
  const machines = {
    title: 'own-machines',
    description: 'Machines of this cluster',
    expression: `resource.type == "compute.googleapis.com/Instance" && resource.name.extract("/instances/{name}").startsWith("${id}-")`,
  };
  return [
    { key: 'disks', role: 'roles/compute.storageAdmin' },
    { key: 'machines', role: 'roles/compute.instanceAdmin.v1', condition: machines },
  ];
}

/** The role let machines of earlier releases destroy their first-boot data, and change the data of other machines. */
const WITHDRAWN = 'secret-versions';

/** Composition resource names of the roles that a machine may get, for any claim and Composition, or got once. */
export function isKnownGrant(key: string): boolean {
  const all = { id: '', secrets: '', diskDriver: true };
  const known = MACHINE_ROLES.flatMap((role) => [
    grantKey(role, ACT_AS),
    grantKey(role, WITHDRAWN),
    ...grantsOf(role, all).map((grant) => grantKey(role, grant.key)),
  ]);
  return known.includes(key);
}

export const MACHINE_ROLES: readonly MachineRole[] = ['control-plane', 'node'];

/** The right to act as the account of a role. */
export const ACT_AS = 'act-as';

export function grantKey(role: MachineRole, part: string): string {
  return `iam-${role}-${part}`;
}

export interface Granted {
  /** Of the cluster in GCP. */
  readonly id: string;
  readonly secrets: string;
  readonly diskDriver: boolean;
}

export function grantsOf(role: MachineRole, { id, secrets, diskDriver: hasDriver }: Granted): readonly Grant[] {
  return [
    ...EVERY_MACHINE,
    ...firstBoot(secrets),
    ...(role === 'control-plane' ? [{ key: 'look', role: 'roles/compute.viewer' }] : []),
    ...(role === 'control-plane' && hasDriver ? diskDriver(id) : []),
  ];
}
