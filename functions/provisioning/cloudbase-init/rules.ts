/** Values that cloudbase-init cannot express. Fields that it cannot express at all are in its traits. */
import type { SlipwayError } from '#lib/api/errors.ts';
import type { Claimed, File } from '#lib/api/fields/provisioning.ts';
import { refusal } from '#lib/api/refusal.ts';
import { cannotExpress } from '#lib/cloud/expressible.ts';
import { onePath } from '#lib/cloud/first-boot-settings/settings.ts';

type Judged = Pick<Claimed, 'files' | 'users' | 'groups'>;

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

/** Throws InvalidClaim or Unsupported for the first value at fault. */
export function refuseOnWindows({ files, users, groups }: Judged, owner: string): void {
  for (const [index, file] of files.entries()) refuseFile(file, `files[${index}]`, owner);
  refuseOtherCase(files, owner);
  for (const [index, { gid }] of groups.entries())
    if (gid !== undefined) throw cannotSay(`groups[${index}].gid`, 'a group without a number', owner);
  for (const [index, user] of users.entries())
    for (const [field, instead] of Object.entries(UNSAID))
      if (user[field as keyof typeof UNSAID] !== undefined) throw cannotSay(`users[${index}].${field}`, instead, owner);
}

/** Windows has no owner and group names like Unix, and no mode bits for others; use commands for anything else. */
function refuseFile({ path, mode, owner: whose }: File, field: string, owner: string): void {
  if (/[<>:"|?*\\]/.test(path))
    throw refusal(
      owner,
      `spec.provisioning.${field}.path`,
      path,
      'a path below drive C, such as /k/prepare.ps1, without <>:"|?*\\',
    );
  if (whose !== 'root:root')
    throw cannotSay(`${field}.owner`, 'root:root, which is Administrators, and icacls in commands.pre', owner);
  const accepted = ['0600', '0644', '0700', '0755'];
  if (!accepted.includes(mode))
    throw refusal(
      owner,
      `spec.provisioning.${field}.mode`,
      mode,
      `${accepted.join(', ')}; 0600 and 0700 are for Administrators only`,
      'Unsupported',
    );
}

/** Windows takes paths that differ in case for one. */
function refuseOtherCase(files: Judged['files'], owner: string): void {
  const seen = new Set<string>();
  for (const [index, { path, append }] of files.entries()) {
    const place = onePath(path).toLowerCase();
    if (!append && seen.has(place))
      throw refusal(
        owner,
        `spec.provisioning.files[${index}].path`,
        path,
        'a path that nothing else writes; append: true adds to the file',
      );
    seen.add(place);
  }
}

function cannotSay(field: string, instead: string, owner: string): SlipwayError {
  return cannotExpress('cloudbase-init', owner, `spec.provisioning.${field}`, instead);
}
