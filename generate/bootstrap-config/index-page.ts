/** The index of the bootstrappers' pages, and what they have in common. */
import { ClusterBootstrap } from '#lib/api/fields/bootstrap.ts';
import { markdownTable } from '../../cli/terminal/markdown.ts';
import type { Provider } from './provider.ts';
import { REACH } from './page.ts';

export function configIndex(providers: readonly Provider[]): string {
  const { provider } = ClusterBootstrap.parse({});
  return `# \`spec.bootstrap.config\`, by bootstrap provider

<!-- Generated from functions/bootstrap/registry.ts by \`npm run generate\`. -->

Settings of the bootstrap provider in a Cluster and its NodePools, with the field names of the provider. The default
provider is \`${provider}\`. All fields are optional unless a page says otherwise; an unknown field is refused.

${markdownTable(
  ['`provider`', 'its fields', 'schema'],
  providers.map(({ name, config }) => [`[${name}](${name}.md)`, config.about, `[JSON](${name}.schema.json)`]),
)}

[functions/bootstrap](../../functions/bootstrap/README.md) describes how the settings are used.

## Fields of the cluster, and of the machine

The fields of a Cluster also apply to its pools. Fields of a pool override them, one top-level field at a time:
\`kubelet\` of a pool replaces the whole \`kubelet\` of its Cluster. Each top-level field, with everything in it,
belongs to one of these:

${markdownTable(
  ['of', 'meaning'],
  [
    [REACH.cluster, 'there is one value for the whole cluster. A worker pool with a different value is refused'],
    [REACH.controlPlanes, 'only control-plane machines use it. A worker pool with a different value is refused'],
    [REACH.machine, 'each machine uses the value of its pool, or that of its Cluster if the pool sets none'],
  ],
)}

## In an editor

A JSON Schema describes a whole claim but checks only \`spec.bootstrap\`, so it works for a Cluster and for its NodePools.
Most editors read its path from the first line:

\`\`\`yaml
# yaml-language-server: $schema=docs/bootstrap-config/${provider}.schema.json
apiVersion: slipway.dev/v1alpha1
kind: Cluster
\`\`\`

The schema of the configuration alone is \`#/definitions/config\`. A schema cannot express everything: the bootstrap step
checks which fields work together, and with which version of Kubernetes. A refusal names the field and what is accepted.
`;
}
