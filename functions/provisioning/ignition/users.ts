/** Users and groups for Ignition; sudo rules are files. */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import type { User } from '#lib/api/fields/provisioning.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { type HostFile, rootFile } from '../host-file.ts';
import type { Step } from '../script.ts';
import type { Config, IgnitionUser } from './config.ts';

export function passwd({ users, groups }: Customisation): NonNullable<Config['passwd']> {
  return {
    ...(users.length === 0 ? {} : { users: users.map(userEntry) }),
    ...(groups.length === 0
      ? {}
      : { groups: groups.map(({ name, gid }) => ({ name, ...(gid === undefined ? {} : { gid }) })) }),
  };
}

/** Without a password hash, password login is locked; an SSH key still works. A hash from a Secret is set by a step. */
function userEntry({
  name,
  gecos,
  groups,
  shell,
  sshAuthorizedKeys,
  passwordHash,
  passwordHashFrom,
}: User): IgnitionUser {
  return {
    name,
    ...(gecos === undefined ? {} : { gecos }),
    ...(groups.length === 0 ? {} : { groups: [...new Set(groups)] }),
    ...(shell === undefined ? {} : { shell }),
    // Ignition refuses duplicate keys.
    ...(sshAuthorizedKeys.length === 0 ? {} : { sshAuthorizedKeys: [...new Set(sshAuthorizedKeys)] }),
    ...(passwordHash === undefined || passwordHashFrom !== undefined ? {} : { passwordHash }),
  };
}

/** Hashes from Secrets: a script may be sealed, users of Ignition may not. The shell itself prints them. */
export function passwordSteps(users: readonly User[]): readonly Step[] {
  return users.flatMap(({ name, passwordHash, passwordHashFrom }, index) =>
    passwordHash === undefined || passwordHashFrom === undefined
      ? []
      : [
          {
            field: `users[${index}].passwordHashFrom`,
            command: `printf '%s\\n' ${quoted(`${name}:${passwordHash}`)} | chpasswd -e`,
          },
        ],
  );
}

/** sudo only reads files with this mode and without a dot in the name. */
export function sudoers(users: readonly User[]): readonly HostFile[] {
  return users.flatMap(({ name, sudo }) =>
    sudo === undefined ? [] : [rootFile(`/etc/sudoers.d/90-slipway-${name}`, `${name} ${sudo}\n`, '0440')],
  );
}
