/** The page that leads to those of the bootstrappers, and says what all of them have in common. */
import { ClusterBootstrap } from '#lib/api/fields/bootstrap.ts';
import { markdownTable } from '../../cli/terminal/markdown.ts';
import type { Provider } from './provider.ts';
import { REACH } from './page.ts';

export function configIndex(providers: readonly Provider[]): string {
  const { provider } = ClusterBootstrap.parse({});
  return `# \`spec.bootstrap.config\`, by bootstrap provider

<!-- Generated from functions/bootstrap/registry.ts by \`npm run generate\`. -->

What a Cluster and its NodePools tell the bootstrap provider, in the provider's own words. Left out, the provider is
\`${provider}\`. All fields are optional unless a page says otherwise; an unknown field is refused.

${markdownTable(
  ['`provider`', 'what its fields are', 'schema'],
  providers.map(({ name, config }) => [`[${name}](${name}.md)`, config.about, `[JSON](${name}.schema.json)`]),
)}

What it makes of them is in [functions/bootstrap](../../functions/bootstrap/README.md).

## Of the cluster, or of the machine

The Cluster's fields are also those of its pools. A pool's fields win over them, top-level field by top-level field: \`kubelet\`
in a pool takes the place of the whole \`kubelet\` of its Cluster. A top-level field is, with everything in it,

${markdownTable(
  ['of', 'which means'],
  [
    [REACH.cluster, 'there is one for the whole cluster. A pool of workers that says something else is refused'],
    [
      REACH.controlPlanes,
      'control-plane machines alone read it. A pool of workers that says something else is refused',
    ],
    [REACH.machine, 'each machine goes by what its pool says, or its Cluster where the pool does not'],
  ],
)}

## In an editor

A JSON Schema is of the whole claim and looks at \`spec.bootstrap\` only: it is good for a Cluster and for its NodePools. Most
editors read its place from the first line:

\`\`\`yaml
# yaml-language-server: $schema=docs/bootstrap-config/${provider}.schema.json
apiVersion: slipway.dev/v1alpha1
kind: Cluster
\`\`\`

The configuration alone is its \`#/definitions/config\`. A schema cannot say everything: what goes with what, or with a
version of Kubernetes, the bootstrap step judges, and refuses with the field and what is accepted.
`;
}
