/** Which packages Slipway publishes, and which files of the repository each is made of. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';

export interface PackageSource {
  /** Repository name below the organisation: function-cluster. */
  readonly name: string;
  /** Folder with crossplane.yaml. */
  readonly folder: string;
  /** Further YAML files or folders that go into package.yaml, in this order. */
  readonly content: readonly string[];
  /** Folder under functions/ whose main.ts the image runs; none for a Configuration. */
  readonly runs?: string;
}

export const FUNCTIONS = ['bootstrap', 'cluster', 'in-place-update', 'machine', 'nodepool', 'provisioning'] as const;

export const CATALOG: readonly PackageSource[] = [
  ...FUNCTIONS.map((name) => ({
    name: `function-${name}`,
    folder: `package/functions/${name}`,
    content: [`package/functions/${name}/input`],
    runs: name,
  })),
  { name: 'configuration-slipway', folder: 'package/configuration', content: ['xrds'] },
  {
    name: 'configuration-slipway-aws',
    folder: 'package/configuration-aws',
    content: ['package/configuration-aws/activation.yaml', 'compositions/aws'],
  },
];

/** The YAML stream that Crossplane reads: the package's own metadata first, then what it carries. */
export function packageYaml(root: string, source: PackageSource): string {
  const meta = objectsIn(join(root, source.folder, 'crossplane.yaml'));
  const content = source.content.flatMap((path) => objectsIn(join(root, path)));
  return [...meta, ...content]
    .map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' }))
    .join('---\n');
}

/** All objects of a YAML file, or of the YAML files directly inside a folder, by file name. */
function objectsIn(path: string): readonly KubeObject[] {
  if (/\.ya?ml$/.test(path)) {
    return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
      if (document.errors.length > 0)
        throw new Error(`cannot read "${path}": ${document.errors[0]?.message.split('\n')[0] ?? 'not YAML'}`);
      return document.toJS() as KubeObject;
    });
  }
  return readdirSync(path)
    .filter((file) => /\.ya?ml$/.test(file))
    .sort()
    .flatMap((file) => objectsIn(join(path, file)));
}
