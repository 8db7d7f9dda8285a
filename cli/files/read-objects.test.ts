/** Files that are no YAML are named as what they are. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readObjects } from './read-objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const CLAIM = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';

function written(bytes: string | Buffer): string {
  const path = join(folder, 'file.yaml');
  writeFileSync(path, bytes);
  return path;
}

test.for([
  ['with a mark of UTF-8', Buffer.from(`\uFEFF${CLAIM}`)],
  ['with line endings of Windows', CLAIM.replaceAll('\n', '\r\n')],
] as const)('a file %s is read', ([, bytes]) => {
  expect(readObjects([written(bytes)])).toMatchObject([{ kind: 'ConfigMap', metadata: { name: 'a' } }]);
});

test.for([
  ['of UTF-16', Buffer.from(`\uFEFF${CLAIM}`, 'utf16le'), 'it is text in UTF-16, as older PowerShells write it'],
  ['of UTF-16 with the other order', Buffer.from(`\uFEFF${CLAIM}`, 'utf16le').swap16(), 'it is text in UTF-16, '],
  ['of UTF-16 without its mark', Buffer.from(CLAIM, 'utf16le'), 'it is no text'],
  ['of a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), 'it is no text'],
  ['of letters of an older encoding', Buffer.from(`${CLAIM}# caf\u00E9\n`, 'latin1'), 'it is no text'],
] as const)('a file %s is not, and the line says why', ([, bytes, said]) => {
  const path = written(bytes);
  expect(() => readObjects([path])).toThrow(`cannot read "${path}": ${said}`);
  expect(() => readObjects([path])).toThrow(/; accepted: YAML in UTF-8$/);
});
