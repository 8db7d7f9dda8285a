/** A Kubernetes object as a file that says where it comes from. */
import { stringify } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';

/** @param source  where the zod schema is */
export function definitionYaml(object: KubeObject, source: string): string {
  const header = `# Generated from ${source} by \`npm run generate\`. Edit the zod schema, not this file.\n`;
  return header + stringify(object, { lineWidth: 120, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}
