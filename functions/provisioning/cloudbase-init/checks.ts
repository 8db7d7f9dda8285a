/**
 * Checks of what plugins of cloudbase-init should have done: it continues after an error in any of them. They run before
 * anything else in the script.
 */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { onDriveC } from './paths.ts';
import { text } from './text.ts';

type Checked = Pick<Customisation, 'users' | 'groups' | 'files'>;

interface Check {
  /** Named by its field. */
  readonly field: string;
  /** PowerShell that fails if it is missing. */
  readonly command: string;
}

export function checksOf({ users, groups, files }: Checked): readonly Check[] {
  return [
    ...groups.map(({ name }, i) => ({ field: `groups[${i}]`, command: `net.exe localgroup ${text(name)} | Out-Null` })),
    ...users.map((user, i) => ({ field: `users[${i}]`, command: isThere(user) })),
    ...files.map(({ path }, i) => ({
      field: `files[${i}]`,
      command: `if (-not (Test-Path -LiteralPath ${text(onDriveC(path))})) { exit 1 }`,
    })),
  ];
}

/** By a program that is on every Windows; it prints one member of a group per line. */
function isThere({ name, groups }: Checked['users'][number]): string {
  const user = text(name);
  const members = groups.map((group) => `(net.exe localgroup ${text(group)}) -contains ${user}`);
  return [...members.map((isMember) => `if (-not (${isMember})) { exit 1 }`), `net.exe user ${user} | Out-Null`].join(
    '\r\n',
  );
}
