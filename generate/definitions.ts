/** XRDs, and CRDs of the kinds that provider-node serves. */
import { COMPOSITES, NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { compositeResourceDefinition, customResourceDefinition } from '#lib/api/schema/definition.ts';
import type { GeneratedFile } from './file.ts';
import { definitionYaml } from './yaml.ts';

const SOURCE = 'lib/api';

export function definitionFiles(): readonly GeneratedFile[] {
  return [
    ...COMPOSITES.map(
      (definition) =>
        [`xrds/${definition.plural}.yaml`, definitionYaml(compositeResourceDefinition(definition), SOURCE)] as const,
    ),
    ...NODE_KINDS.map(
      (definition) =>
        [
          `package/provider-node/crds/${definition.plural}.yaml`,
          definitionYaml(customResourceDefinition(definition), SOURCE),
        ] as const,
    ),
  ];
}
