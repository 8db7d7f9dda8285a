/** The page about first boot shows the real claim and the real text of refusals. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';
import { rendered } from '../../functions/provisioning/plan.fixture.ts';
import { filesOf } from '../support/first-boot.ts';
import { ignitionFiles } from '../support/ignition.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(DOCS, 'first-boot.md'), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(?<body>.*?)^\`\`\``, 'ms').exec(page)?.groups?.['body'] ?? '';

const shown = parse(blockOf('yaml')) as { readonly bootstrap: JsonObject; readonly provisioning: JsonObject };

test('the claim on the page equals the file', () => {
  const { spec } = parse(readFileSync(join(DOCS, 'first-boot/cluster.yaml'), 'utf8')) as { spec: typeof shown };
  expect(shown).toEqual({ bootstrap: spec.bootstrap, provisioning: spec.provisioning });
});

test.for([
  { format: 'cloud-init', read: filesOf },
  { format: 'ignition', read: ignitionFiles },
  { format: 'ignition-2.3', read: ignitionFiles },
])('the claim on the page works with $format', async ({ format, read }) => {
  const files = read(await rendered({ ...shown.provisioning, format }));
  expect(files.find(({ path }) => path === '/etc/motd')?.bytes.toString()).toBe('Managed by team-a.\n');
});

const REFUSED: readonly JsonObject[] = [
  { format: 'talos' },
  { format: 'ignition', packages: ['nfs-common'] },
  { files: [{ path: '/run/motd', content: '' }] },
];

test('refusals on the page have the wording of the functions', async () => {
  const refusals = blockOf('text').trim().split('\n');
  expect(refusals).toHaveLength(REFUSED.length);
  for (const [index, provisioning] of REFUSED.entries())
    await expect(rendered(provisioning)).rejects.toThrow(`: ${refusals[index]}`);
});
