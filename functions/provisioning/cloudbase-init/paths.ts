/** Places on a Windows host. A claim's and a plan's paths begin at a root; here that is drive C. */
import { refusal } from '#lib/api/refusal.ts';

/** @param path  absolute, with slashes; Windows takes them, too */
export function onDriveC(path: string): string {
  return `C:${path}`;
}

/** Throws InvalidClaim for a path that no file of Windows has. @param field where the claim says it */
export function refusePath(path: string, field: string, owner: string): void {
  if (!/[<>:"|?*\\]/.test(path)) return;
  throw refusal(owner, field, path, 'a path below drive C, such as /k/prepare.ps1, without <>:"|?*\\');
}
