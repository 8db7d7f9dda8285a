/** Paths on a Windows host. Paths of claims and plans start at a root, which here is drive C. */
import { refusal } from '#lib/api/refusal.ts';

/** @param path absolute, with slashes, which Windows accepts */
export function onDriveC(path: string): string {
  return `C:${path}`;
}

/** Throws InvalidClaim for an invalid Windows path. @param field where the claim sets it */
export function refusePath(path: string, field: string, owner: string): void {
  if (!/[<>:"|?*\\]/.test(path)) return;
  throw refusal(owner, field, path, 'a path below drive C, such as /k/prepare.ps1, without <>:"|?*\\');
}
