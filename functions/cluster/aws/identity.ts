/** What machines may do in AWS: a role, its policy and an instance profile for each of the two kinds of machine. */
import { LABEL } from '#lib/api/words.ts';
import { controlPlanePolicy, nodePolicy, trustPolicy } from './policies.ts';
import { type Entry, managed, ref } from './resource.ts';
import type { Site } from './site.ts';
import { tagsOf } from './tags.ts';

export type MachineRole = 'control-plane' | 'node';

export function identity(site: Site): readonly Entry[] {
  return [
    ...identityOf(site, 'control-plane', controlPlanePolicy(site.input.aws.ebsCSIPolicy)),
    ...identityOf(site, 'node', nodePolicy()),
  ];
}

/** Name in IAM, which knows no regions and no namespaces: two clusters of one name must not share a role. */
export function identityName(site: Site, role: MachineRole): string {
  return `${site.cluster}-${role}-${site.mark}`;
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
