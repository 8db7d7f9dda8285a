/** The page of one bootstrapper: every field of `spec.bootstrap.config`. */
import type { ClaimConfig } from '../../functions/bootstrap/bootstrapper.ts';
import type { FieldRow } from '../fields/rows.ts';
import { fieldTable } from '../fields/table.ts';
import type { Provider } from './provider.ts';

export function configPage({ name, config }: Provider): string {
  const of = { head: 'of', cell: (row: FieldRow) => reachOf(config, topLevel(row)) };
  return `# \`spec.bootstrap.config\` of ${name}

<!-- Generated from functions/bootstrap/${name} by \`npm run generate\`. -->

What a claim with \`spec.bootstrap.provider: ${name}\` can set ([how to read this page](README.md)), also as a
[JSON Schema](${name}.schema.json).

${config.about}

${fieldTable(config.schema, [of])}
`;
}

/** The words of the index. */
export const REACH = { cluster: 'the cluster', controlPlanes: 'control planes', machine: 'the machine' } as const;

function reachOf({ ofTheCluster, ofControlPlanes = [] }: ClaimConfig, field: string): string {
  if (ofTheCluster.includes(field)) return REACH.cluster;
  return ofControlPlanes.includes(field) ? REACH.controlPlanes : REACH.machine;
}

function topLevel({ path }: FieldRow): string {
  return path.replace(/[.[].*$/, '');
}
