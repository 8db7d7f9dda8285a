/** Permissions of machines in GCP: a service account for each of the two kinds of machine, and its roles. */
import type { KubeObject } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { accountName } from '../names.ts';
import { projectIn } from '../project.ts';
import { output } from '#lib/cloud/observed.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import { description, managed } from './resource.ts';
import { ACT_AS, type Grant, grantKey, grantsOf, MACHINE_ROLES, type MachineRole } from './roles.ts';
import type { Site } from './site.ts';

type Observed = ReadonlyMap<string, KubeObject>;

/**
 * Roles need project and address of the account, which are known only once it exists. None where somebody else provides
 * the accounts: what they may do is theirs.
 */
export function identity(site: Site, observed: Observed): readonly Entry[] {
  if (site.existing.identities !== undefined) return [];
  return [...MACHINE_ROLES.flatMap((role) => identityOf(site, role, observed)), ...actAs(site, observed)];
}

/**
 * Name prefix of the secrets that machines of a role boot from. Each role has its own, because the first-boot data of a
 * control-plane machine contains the keys of the cluster. No id contains _, so that none begins with another one's.
 */
export function firstBootSecrets({ id }: Site, role: MachineRole): string {
  return `${id}_${role}_`;
}

/** The account of a role, once the cloud told. */
export function accountOf(role: MachineRole, observed: Observed): string | undefined {
  return output(observed.get(`account-${role}`), 'email');
}

/** From the id of an account. */
export function projectOf(observed: Observed): string | undefined {
  return MACHINE_ROLES.map((role) => projectIn(output(observed.get(`account-${role}`), 'id'))).find(
    (project) => project !== undefined,
  );
}

function identityOf(site: Site, role: MachineRole, observed: Observed): readonly Entry[] {
  const account = managed(
    site,
    'ServiceAccount',
    `account-${role}`,
    {
      displayName: `${site.namespace}/${site.cluster} ${role}`.slice(0, 100),
      description: description(site, `Kubernetes ${role} machines`),
    },
    accountName(site.id, role),
  );
  const grants = grantsOf(role, {
    id: site.id,
    secrets: firstBootSecrets(site, role),
    diskDriver: site.input.gcp.diskDriverRoles,
  });
  const [email, project] = [accountOf(role, observed), projectOf(observed)];
  return [account, ...grants.flatMap((grant) => grantOf(site, role, grant, observed, email, project))];
}

function grantOf(
  site: Site,
  role: MachineRole,
  { key: part, role: granted, condition }: Grant,
  observed: Observed,
  email: string | undefined,
  project: string | undefined,
): readonly Entry[] {
  const key = grantKey(role, part);
  if (email === undefined || project === undefined) return kept(key, observed);
  const member = { project, member: `serviceAccount:${email}`, role: granted };
  return [managed(site, 'ProjectIAMMember', key, { ...member, ...(condition === undefined ? {} : { condition }) })];
}

/** Whoever attaches a disk to a machine acts as its account. */
function actAs(site: Site, observed: Observed): readonly Entry[] {
  if (!site.input.gcp.diskDriverRoles) return [];
  const email = accountOf('control-plane', observed);
  return MACHINE_ROLES.flatMap((role) => {
    const key = grantKey(role, ACT_AS);
    if (email === undefined) return kept(key, observed);
    return [
      managed(site, 'ServiceAccountIAMMember', key, {
        serviceAccountIdRef: ref(site, `account-${role}`),
        role: 'roles/iam.serviceAccountUser',
        member: `serviceAccount:${email}`,
      }),
    ];
  });
}

function kept(key: string, observed: Observed): readonly Entry[] {
  const made = observed.get(key);
  return made === undefined ? [] : [[key, asDesired(made)]];
}
