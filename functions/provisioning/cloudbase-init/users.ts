/** Users and groups for cloudbase-init. It generates missing passwords, which remain unknown. */
import type { Customisation } from '#lib/api/fields/customisation.ts';

export function accounts({
  users,
  groups,
}: Pick<Customisation, 'users' | 'groups'>): Readonly<Record<string, unknown>> {
  return {
    ...(groups.length === 0 ? {} : { groups: groups.map(({ name }) => name) }),
    ...(users.length === 0
      ? {}
      : {
          users: users.map(({ name, gecos, groups: own, sshAuthorizedKeys }) => ({
            name,
            ...(gecos === undefined ? {} : { gecos }),
            ...(own.length === 0 ? {} : { groups: own }),
            ...(sshAuthorizedKeys.length === 0 ? {} : { ssh_authorized_keys: sshAuthorizedKeys }),
          })),
        }),
  };
}
