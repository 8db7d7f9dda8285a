/** Users and groups for cloudbase-init. It generates missing passwords, which remain unknown. */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import type { SlipwayError } from '#lib/api/errors.ts';
import { cannotExpress } from '#lib/cloud/expressible.ts';

/** It would use a hash as the password itself. */
const UNSAID = {
  passwordHashFrom: 'sshAuthorizedKeys, or a password set in commands.preFrom',
  passwordHash: 'sshAuthorizedKeys, or a password set in commands.pre',
  shell: 'nothing: users of Windows have none',
  sudo: 'groups: [Administrators]',
  lockPassword: 'nothing: the password is one that nobody knows',
  uid: 'nothing: users of Windows have none',
  primaryGroup: 'groups',
  homeDir: 'nothing: it is below C:\\Users',
  system: 'a user that is none',
  expires: 'Set-LocalUser -AccountExpires in commands.pre',
} as const;

export function accounts(
  { users, groups }: Pick<Customisation, 'users' | 'groups'>,
  owner: string,
): Readonly<Record<string, unknown>> {
  groups.forEach(({ gid }, index) => {
    if (gid !== undefined) throw cannotSay(`groups[${index}].gid`, 'a group without a number', owner);
  });
  users.forEach((user, index) => {
    for (const [field, instead] of Object.entries(UNSAID))
      if (user[field as keyof typeof UNSAID] !== undefined) throw cannotSay(`users[${index}].${field}`, instead, owner);
  });
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

function cannotSay(field: string, instead: string, owner: string): SlipwayError {
  return cannotExpress('cloudbase-init', owner, `spec.provisioning.${field}`, instead);
}
