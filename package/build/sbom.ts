/**
 * What is inside a package, as CycloneDX: the npm packages of its bundle, with the hashes of the lock file, and the
 * software of the layer below. Without times, so that the same input gives the same bytes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical, type JsonObject } from '#lib/api/json.ts';
import type { Architecture } from './image.ts';

export interface Component {
  readonly name: string;
  readonly version: string;
  /** Such as pkg:npm/zod@4.0.0. */
  readonly purl: string;
  readonly license?: string;
  /** SHA-512 in hex, where the lock file has it. */
  readonly sha512?: string;
}

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
}

/** The npm packages that modules of a bundle come from, by name. @param modules absolute paths */
export function npmComponents(root: string, modules: readonly string[]): readonly Component[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const folders = new Set(modules.flatMap((path) => folderOf(root, path) ?? []));
  return [...folders].toSorted().map((folder) => {
    const { version, license, integrity } = packages[folder] ?? {};
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (version === undefined) throw new Error(`cannot list "${name}": package-lock.json does not have ${folder}`);
    return {
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      ...(license === undefined ? {} : { license }),
      ...(integrity?.startsWith('sha512-') === true
        ? { sha512: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }
        : {}),
    };
  });
}

/** The folder of the package in the lock file; undefined: a module of Slipway. */
function folderOf(root: string, path: string): string | undefined {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return folder?.startsWith(`${root}/`) === true ? folder.slice(root.length + 1) : undefined;
}

/** Node, and the Debian packages of the layer below. @param list `name version` in each line */
export function baseComponents(node: string, list: string, architecture: Architecture): readonly Component[] {
  const libraries = list
    .trim()
    .split('\n')
    .filter((line) => line !== '');
  return [
    { name: 'node', version: node, purl: `pkg:npm/node@${node}`, license: 'MIT' },
    ...libraries.toSorted().map((line) => {
      const [name = '', version = ''] = line.split(' ');
      const at = encodeURIComponent(version);
      return { name, version, purl: `pkg:deb/debian/${name}@${at}?arch=${architecture}&distro=bookworm` };
    }),
  ];
}

/** The document. @param release such as v0.1.0 */
export function sbom(name: string, release: string, components: readonly Component[]): string {
  return `${canonical({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `slipway/${name}`,
        name,
        version: release,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: components.map(documented),
    dependencies: [{ ref: `slipway/${name}`, dependsOn: components.map(({ purl }) => purl) }],
  })}\n`;
}

function documented({ name, version, purl, license, sha512 }: Component): JsonObject {
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(sha512 === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
  };
}
