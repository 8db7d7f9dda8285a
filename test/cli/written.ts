/** Files that a test writes, in a folder that goes with it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { ROOT } from './slipway.ts';

/** Of the test file that imports this. */
export const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes a file. @returns its path */
export function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A folder of its own with this one file. @returns the folder */
export function folderWith(name: string, text: string): string {
  const path = mkdtempSync(join(folder, 'with-'));
  writeFileSync(join(path, name), text);
  return path;
}

/** The example claim with one text replaced by another. */
export function claim(name: string, from: string | RegExp, to: string): string {
  return file(name, readFileSync(join(ROOT, 'examples/aws/cluster.yaml'), 'utf8').replace(from, to));
}
