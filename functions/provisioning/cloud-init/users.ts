/** Users in cloud-init's words. */
import type { User } from '#lib/api/fields/provisioning.ts';

/** The image's own user stays: without "default" it would not be made. */
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
    // A password that is not given is locked; a key may still log in.
    ...(passwordHash === undefined ? { lock_passwd: true } : { lock_passwd: false, hashed_passwd: passwordHash }),
  };
}
