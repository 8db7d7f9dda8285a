/** Users for cloud-init. */
import type { User } from '#lib/api/fields/provisioning.ts';

/** The default user of the image stays: without "default" it would not be created. */
export function userEntries(users: readonly User[]): readonly unknown[] {
  return ['default', ...users.map(userEntry)];
}

function userEntry(user: User): Readonly<Record<string, unknown>> {
  const { name, gecos, groups, shell, sudo, sshAuthorizedKeys, passwordHash } = user;
  const { uid, primaryGroup, homeDir, system, lockPassword = passwordHash === undefined } = user;
  return {
    name,
    ...(gecos === undefined ? {} : { gecos }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(shell === undefined ? {} : { shell }),
    ...(sudo === undefined ? {} : { sudo }),
    ...(sshAuthorizedKeys.length === 0 ? {} : { ssh_authorized_keys: sshAuthorizedKeys }),
    // Without a password hash, password login is locked; an SSH key still works.
    lock_passwd: lockPassword,
    ...(passwordHash === undefined ? {} : { hashed_passwd: passwordHash }),
    ...(uid === undefined ? {} : { uid }),
    ...(primaryGroup === undefined ? {} : { primary_group: primaryGroup }),
    ...(homeDir === undefined ? {} : { homedir: homeDir }),
    ...(system === true ? { system } : {}),
  };
}
