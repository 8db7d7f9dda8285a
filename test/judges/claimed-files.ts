/** The files of `EVERY_PROVISIONING` as they have to be on a machine, whatever its format. */

interface Claimed {
  readonly path: string;
  readonly permissions: string;
  readonly owner: string;
}

/** Formats write no setuid bit: a command of the first boot sets it. */
const BY_COMMAND: Readonly<Record<string, string>> = { '/opt/packed': '04755' };

/** @param files  of the first-boot data */
export function asClaimed(files: readonly Claimed[]): readonly (Claimed & { readonly same: true })[] {
  return files.map(({ path, permissions, owner }) => ({
    path,
    permissions: BY_COMMAND[path] ?? permissions,
    owner,
    same: true,
  }));
}
