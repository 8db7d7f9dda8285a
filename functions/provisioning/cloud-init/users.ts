/** Users for cloud-init. */
import type { User } from '#lib/api/fields/provisioning.ts';

/** The default user of the image stays: without "default" it would not be created. */
export function userEntries(users: readonly User[]): readonly unknown[] {
  return ['default', ...users.map(userEntry)];
}

function userEntry(user: User): Readonly<Record<string, unknown>> {
  const { name, gecos, groups, shell, sudo, sshAuthorizedKeys, passwordHash } = user;
  return {
    name,
    ...(gecos === undefined ? {} : { gecos }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(shell === undefined ? {} : { shell }),
    ...(sudo === undefined ? {} : { sudo }),
    ...(sshAuthorizedKeys.length === 0 ? {} : { ssh_authorized_keys: sshAuthorizedKeys }),
    // Without a password hash, password login is locked; an SSH key still works.
    ...(passwordHash === undefined ? { lock_passwd: true } : { lock_passwd: false, hashed_passwd: passwordHash }),
  };
}
