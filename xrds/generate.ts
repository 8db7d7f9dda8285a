/** Writes the generated definitions: XRDs beside this file, the CRDs of provider-node and of the function inputs under package/. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { COMPOSITES, NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { compositeResourceDefinition, customResourceDefinition } from '#lib/api/schema/definition.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const HEADER = '# Generated from lib/api by `npm run generate`. Edit the zod schema, not this file.\n';

/** Every generated file by its path in the repository; the test suite compares it with what is committed. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...COMPOSITES.map(
      (definition) => [`xrds/${definition.plural}.yaml`, asYaml(compositeResourceDefinition(definition))] as const,
    ),
    ...NODE_KINDS.map(
      (definition) =>
        [`package/provider-node/crds/${definition.plural}.yaml`, asYaml(customResourceDefinition(definition))] as const,
    ),
  ]);
}

function asYaml(object: KubeObject): string {
  return HEADER + stringify(object, { lineWidth: 120, aliasDuplicateObjects: false });
}

if (import.meta.main) {
  for (const [path, text] of generatedFiles()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
}
