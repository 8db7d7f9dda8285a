/** Permissions of machines in AWS: a role, its policy and an instance profile for each of the two kinds of machine. */
import { LABEL } from '#lib/api/words.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import { cloudName } from './cluster-id.ts';
import { controlPlanePolicy, nodePolicy, trustPolicy } from './policies.ts';
import { managed } from './resource.ts';
import type { Site } from './site.ts';
import { tagsOf } from './tags.ts';

export type MachineRole = 'control-plane' | 'node';

/** None where somebody else provides them: what their roles may do is theirs. */
export function identity(site: Site): readonly Entry[] {
  if (site.existing.identities !== undefined) return [];
  return [
    ...identityOf(
      site,
      'control-plane',
      controlPlanePolicy({
        id: site.id,
        secrets: firstBootSecretsArn(site, 'control-plane'),
        vpc: site.network.kind === 'existing' ? site.network.id : undefined,
        ebsCSI: site.input.aws.ebsCSIPolicy,
        tagKeys: site.input.aws.controllerTags,
      }),
    ),
    ...identityOf(site, 'node', nodePolicy({ id: site.id, secrets: firstBootSecretsArn(site, 'node') })),
  ];
}

const NAMES = { longest: 64 };

/** Name in IAM, which has no regions. */
export function identityName(site: Site, role: MachineRole): string {
  return cloudName(site, role, NAMES);
}

/**
 * Name prefix of the secrets that machines of a role boot from. Each role has its own, because the first-boot data of a
 * control-plane machine contains the keys of the cluster.
 */
export function firstBootSecrets({ id, mark, namespace, cluster }: Site, role: MachineRole): string {
  return `slipway/${mark === undefined ? id : `${namespace}/${cluster}`}/${role}/`;
}

/** AWS adds six random characters to the ARN of a secret. Partition and account are those of the machine. */
function firstBootSecretsArn(site: Site, role: MachineRole): string {
  return `arn:*:secretsmanager:${site.region}:*:secret:${firstBootSecrets(site, role)}*`;
}

function identityOf(site: Site, role: MachineRole, policy: string): readonly Entry[] {
  const { permissionsBoundary } = site.input.aws;
  const labels = { [LABEL.role]: role === 'node' ? 'worker' : role };
  const marks = { labels, externalName: identityName(site, role) };
  const assumed = {
    assumeRolePolicy: trustPolicy(site.region),
    description: `Kubernetes ${role} machines of ${site.namespace}/${site.cluster}`,
    ...(permissionsBoundary === undefined ? {} : { permissionsBoundary }),
    tags: tagsOf(site, `role-${role}`, role),
  };
  const profile = { roleRef: ref(site, `role-${role}`), tags: tagsOf(site, `profile-${role}`, role) };
  return [
    managed(site, 'Role', `role-${role}`, assumed, marks),
    managed(site, 'RolePolicy', `policy-${role}`, { roleRef: ref(site, `role-${role}`), policy }, { labels }),
    managed(site, 'InstanceProfile', `profile-${role}`, profile, marks),
  ];
}
