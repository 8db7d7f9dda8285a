/** Which packages Slipway publishes, and which files of the repository each is made of. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';
import { yamlText } from '#lib/api/yaml.ts';
import { FUNCTIONS } from '../../cli/files/repository.ts';
import { inRelease } from './release.ts';

export interface PackageSource {
  /** Repository name below the organisation: function-cluster. */
  readonly name: string;
  /** Folder with crossplane.yaml. */
  readonly folder: string;
  /** Further YAML files or folders that go into package.yaml, in this order. */
  readonly content: readonly string[];
  /** Folder whose main.ts the image runs; none for a Configuration. */
  readonly runs?: string;
  /** It has releases of its own: others require it in a range, not in one version (decision 11). */
  readonly isApart?: boolean;
  /** Of a package that is apart: what others may write to it, and since when. */
  readonly kinds?: Kinds;
}

export interface Kinds {
  /** Its release that last changed them: others require this one or a later one. */
  readonly since: string;
  /** `kindsDigest` of that release. */
  readonly sha256: string;
}

/** How folders of packages begin that belong to a cloud. */
const CLOUD_PACKAGE = 'configuration-';

export const CATALOG: readonly PackageSource[] = [
  ...FUNCTIONS.map((name) => ({
    name: `function-${name}`,
    folder: `package/functions/${name}`,
    content: [`package/functions/${name}/input`],
    runs: `functions/${name}`,
  })),
  {
    name: 'provider-node',
    folder: 'package/provider-node',
    content: ['package/provider-node/crds'],
    runs: 'controllers/node',
    isApart: true,
    kinds: { since: 'v0.1.0', sha256: '9b76b3ef6ca79c3bb07ed8ff794c523e439b3f553d44b034a60c255a0bea5870' },
  },
  { name: 'configuration-slipway', folder: 'package/configuration', content: ['xrds'] },
  ...readdirSync(dirname(import.meta.dirname))
    .filter((folder) => folder.startsWith(CLOUD_PACKAGE))
    .toSorted()
    .map((folder) => ofCloud(folder.slice(CLOUD_PACKAGE.length))),
];

/** What a platform installs for one cloud. */
function ofCloud(name: string): PackageSource {
  const folder = `package/${CLOUD_PACKAGE}${name}`;
  return {
    name: `configuration-slipway-${name}`,
    folder,
    content: [`${folder}/activation.yaml`, `compositions/${name}`],
  };
}

/** The packages of one release: each requires the others in exactly its version. */
export const RELEASE: readonly PackageSource[] = CATALOG.filter(({ isApart }) => isApart !== true);

/** Packages of a release where this flavour, the package of a cloud, is installed: without those of other clouds. */
export function releaseOf(flavour: string): readonly PackageSource[] {
  return RELEASE.filter(({ name }) => name === flavour || !name.startsWith('configuration-slipway-'));
}

const RELEASED_TOGETHER: ReadonlySet<string> = new Set(RELEASE.map(({ name }) => name));

/** The YAML stream that Crossplane reads: the package's own metadata first, then what it carries. */
export function packageYaml(root: string, source: PackageSource, release: string): string {
  const meta = objectsIn(join(root, source.folder, 'crossplane.yaml'));
  const content = source.content.flatMap((path) => objectsIn(join(root, path)));
  return [...meta, ...content]
    .map((object) => inRelease(object, release, RELEASED_TOGETHER))
    .map(yamlText)
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
