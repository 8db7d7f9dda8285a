/** Users and groups for Ignition; sudo rules are files. */
import type { Customisation, User } from '#lib/api/fields/provisioning.ts';
import { type HostFile, rootFile } from '../host-file.ts';
import type { Config, IgnitionUser } from './config.ts';

export function passwd({ users, groups }: Customisation): NonNullable<Config['passwd']> {
  return {
    ...(users.length === 0 ? {} : { users: users.map(userEntry) }),
    ...(groups.length === 0
      ? {}
      : { groups: groups.map(({ name, gid }) => ({ name, ...(gid === undefined ? {} : { gid }) })) }),
  };
}

/** Without a password hash, password login is locked; an SSH key still works. */
function userEntry({ name, gecos, groups, shell, sshAuthorizedKeys, passwordHash }: User): IgnitionUser {
  return {
    name,
    ...(gecos === undefined ? {} : { gecos }),
    ...(groups.length === 0 ? {} : { groups: [...new Set(groups)] }),
    ...(shell === undefined ? {} : { shell }),
    // Ignition refuses duplicate keys.
    ...(sshAuthorizedKeys.length === 0 ? {} : { sshAuthorizedKeys: [...new Set(sshAuthorizedKeys)] }),
    ...(passwordHash === undefined ? {} : { passwordHash }),
  };
}

/** sudo only reads files with this mode and without a dot in the name. */
export function sudoers(users: readonly User[]): readonly HostFile[] {
  return users.flatMap(({ name, sudo }) =>
    sudo === undefined ? [] : [rootFile(`/etc/sudoers.d/90-slipway-${name}`, `${name} ${sudo}\n`, '0440')],
  );
}
