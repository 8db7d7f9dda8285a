/** The table of parts that somebody else may provide says what each cloud accepts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { REFERENCES as AWS } from '#clouds/aws/infrastructure/references.ts';
import { REFERENCES as AZURE } from '#clouds/azure/infrastructure/references.ts';
import { REFERENCES as GCP } from '#clouds/gcp/infrastructure/references.ts';
import { SUPPORT } from '#clouds/support.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import type { FlavourField } from '#lib/api/support/rows.ts';
import type { ReferablePart, References } from '#lib/cloud/references.ts';
import { ROOT } from '../../cli/files/repository.ts';

const page = readFileSync(join(ROOT, 'docs/clouds/existing-parts.md'), 'utf8');
const FIELDS: Readonly<Record<ReferablePart, string>> = {
  network: 'network.id',
  subnets: 'subnets[].id',
  securityGroups: 'securityGroups.worker',
  identities: 'identities.worker',
  loadBalancerTargets: 'loadBalancerTargets[].id',
  resourceGroup: 'resourceGroup.id',
  encryptionKey: 'encryptionKey.id',
};
const CLOUDS: readonly (readonly [name: string, references: References])[] = [
  ['aws', AWS],
  ['azure', AZURE],
  ['gcp', GCP],
];

function cellOf(cloud: string, references: References, part: ReferablePart): string {
  const support = SUPPORT[cloud]?.fields[`infrastructure.existing.${FIELDS[part]}` as FlavourField];
  if (support?.is === 'refused') return `refused; accepted: ${support.accepted}`;
  const found = references[part];
  return typeof found === 'string'
    ? `id; a reference is refused; accepted: ${found}`
    : `id, or ${found.kinds.map(({ kind }) => kind).join(' or ')}`;
}

test('the table says of each part and cloud what is accepted', () => {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const parts = Object.keys(FIELDS) as ReferablePart[];
  expect(rows).toEqual(
    parts.map((part) => [`\`${part}\``, ...CLOUDS.map(([cloud, references]) => cellOf(cloud, references, part))]),
  );
});

test('the claim of the page is one', () => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const [observed, claim] = parseAllDocuments(text).map((document) => document.toJS() as Record<string, unknown>);
  expect(observed?.['spec']).toMatchObject({ managementPolicies: ['Observe'] });
  expect(Cluster.parse(claim).spec.infrastructure.existing.network?.ref?.matchLabels).toEqual({ network: 'shared' });
});
