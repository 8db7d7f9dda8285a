/** Paths on a Windows host. Paths of claims and plans start at a root, which here is drive C. */

/** @param path absolute, with slashes, which Windows accepts */
export function onDriveC(path: string): string {
  return `C:${path}`;
}
