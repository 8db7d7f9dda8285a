/** Users and groups for Ignition; sudo rules are files. */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import type { User } from '#lib/api/fields/provisioning.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { type HostFile, rootFile } from '../host-file.ts';
import { expirySteps } from '../expiry.ts';
import type { Step } from '../script.ts';
import type { Config, IgnitionUser } from './config.ts';
import { sudoersFile } from './rules.ts';

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
  lockPassword = false,
  uid,
  primaryGroup,
  homeDir,
  system,
}: User): IgnitionUser {
  return {
    name,
    ...(gecos === undefined ? {} : { gecos }),
    ...(groups.length === 0 ? {} : { groups: [...new Set(groups)] }),
    ...(shell === undefined ? {} : { shell }),
    // Ignition refuses duplicate keys.
    ...(sshAuthorizedKeys.length === 0 ? {} : { sshAuthorizedKeys: [...new Set(sshAuthorizedKeys)] }),
    ...(passwordHash === undefined || passwordHashFrom !== undefined
      ? {}
      : { passwordHash: hash(passwordHash, lockPassword) }),
    ...(uid === undefined ? {} : { uid }),
    ...(primaryGroup === undefined ? {} : { primaryGroup }),
    ...(homeDir === undefined ? {} : { homeDir }),
    // As useradd does elsewhere.
    ...(system === true ? { system, noCreateHome: true } : {}),
  };
}

/** As usermod --lock writes it. */
function hash(passwordHash: string, isLocked: boolean): string {
  return isLocked ? `!${passwordHash}` : passwordHash;
}

/** What users of Ignition cannot have: a hash from a Secret, since a script may be sealed and they may not, and an end. */
export function accountSteps(users: readonly User[]): readonly Step[] {
  return [...passwordSteps(users), ...expirySteps(users)];
}

/** The shell itself prints them. */
function passwordSteps(users: readonly User[]): readonly Step[] {
  return users.flatMap(({ name, passwordHash, passwordHashFrom, lockPassword = false }, index) =>
    passwordHash === undefined || passwordHashFrom === undefined
      ? []
      : [
          {
            field: `users[${index}].passwordHashFrom`,
            command: `printf '%s\\n' ${quoted(`${name}:${hash(passwordHash, lockPassword)}`)} | chpasswd -e`,
          },
        ],
  );
}

/** sudo only reads files with this mode. */
export function sudoers(users: readonly User[]): readonly HostFile[] {
  return users.flatMap(({ name, sudo }) =>
    sudo === undefined ? [] : [rootFile(sudoersFile(name), `${name} ${sudo}\n`, '0440')],
  );
}
