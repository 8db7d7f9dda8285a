/** What each flavour makes of every field of a claim: docs/clouds/claims.md, from the rows and the columns of the clouds. */
import { SUPPORT } from '#clouds/support.ts';
import { BY_FLAVOUR, type FlavourField, type Places, ROWS } from '#lib/api/support/rows.ts';
import type { Support } from '#lib/api/support/support.ts';
import { markdownTable } from '../cli/terminal/markdown.ts';
import { prose } from './fields/text.ts';
import type { GeneratedFile } from './file.ts';

const columns = Object.values(SUPPORT);

export function claimPage(): readonly GeneratedFile[] {
  return [['docs/clouds/claims.md', page()]];
}

function page(): string {
  return `# What each flavour makes of a claim

<!-- Generated from lib/api/support and clouds/*/support.ts by \`npm run generate\`. -->

Every field of a Cluster, a NodePool and a Machine is in one of the two tables below. None is ignored: a field is
honoured, mapped to something of the cloud, or refused. A refusal is one line that names the field and what is accepted;
\`slipway validate\`, \`slipway plan\` and the functions say the same one, before anything is created. The default of a
field asks for nothing, and is never refused.

Beside these tables, the platform may allow less ([limits](../own-images-and-sizes.md)), and a bootstrap provider or a
format may not know a setting ([matrix](../matrix.md)).

## Fields that a flavour decides about

${flavourTable()}

## Fields that mean the same on every flavour

The steps that read them know no cloud. The first part of a path differs between kinds: what a NodePool has in
\`spec.labels\`, a Cluster has in \`spec.controlPlane.labels\`; what a Machine has in \`spec.drain\`, a pool has in
\`spec.update.drain\`.

${neutralTable()}
`;
}

function flavourTable(): string {
  return markdownTable(
    ['field', 'in', ...columns.map(({ title }) => title)],
    Object.entries(BY_FLAVOUR).map(([field, places]) => [
      named(field),
      kindsOf(places),
      ...columns.map(({ fields }) => cell(fields[field as FlavourField])),
    ]),
  );
}

function neutralTable(): string {
  const neutral = ROWS.flatMap(({ field, places, by }) => (by === undefined ? [] : [{ field, places, by }]));
  return markdownTable(
    ['field', 'in', 'step'],
    neutral.map(({ field, places, by }) => [named(field), kindsOf(places), by]),
  );
}

function cell(support: Support): string {
  if (support.is === 'mapped') return `mapped to ${prose(support.to)}`;
  if (support.is === 'refused') return `refused; accepted: ${prose(support.accepted)}`;
  return support.as === undefined ? 'honoured' : `honoured: ${prose(support.as)}`;
}

const named = (field: string): string => `\`${field}\``;
const kindsOf = (places: Places): string => Object.keys(places).join(', ');
