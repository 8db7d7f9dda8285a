/** The catalog of each cloud in the input of every step that judges claims by it: one table, written once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../cli/files/repository.ts';
import type { GeneratedFile } from './file.ts';

/** Parts of the catalog in the Composition of each kind: a Machine has the region of its Cluster. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  cluster: ['regions', 'classes', 'images', 'defaultImage'],
  nodepool: ['regions', 'classes', 'images', 'defaultImage'],
  machine: ['classes', 'images', 'defaultImage'],
};

/** Compositions of the clouds that have a catalog, with the part between their markers replaced. */
export function catalogFiles(files: ReadonlyMap<string, string>): readonly GeneratedFile[] {
  const clouds = readdirSync(join(ROOT, 'clouds')).filter((name) => existsSync(join(ROOT, catalogPath(name))));
  return clouds.flatMap((cloud) => {
    const sections = sectionsOf(readFileSync(join(ROOT, catalogPath(cloud)), 'utf8'));
    return Object.entries(PARTS).map(([kind, parts]): GeneratedFile => {
      const path = `compositions/${cloud}/${kind}.yaml`;
      const text = files.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
      return [path, withCatalog(text, path, cloud, parts.map((part) => sections.get(part) ?? '').join(''))];
    });
  });
}

function catalogPath(cloud: string): string {
  return `clouds/${cloud}/catalog.yaml`;
}

/** Each top-level key with the comment right above it. */
function sectionsOf(catalog: string): ReadonlyMap<string, string> {
  const blocks = catalog.split('\n\n').map((block) => `${block.trimEnd()}\n`);
  const named = blocks.flatMap((block): readonly (readonly [string, string])[] => {
    const name = /^(\w+):/m.exec(block)?.[1];
    return name === undefined ? [] : [[name, block]];
  });
  return new Map(named);
}

const END = '        # end of the catalog\n';

function withCatalog(text: string, path: string, cloud: string, catalog: string): string {
  const begin = `        # The catalog, from ${catalogPath(cloud)} by \`npm run generate\`: the same in every Composition.\n`;
  const [before, rest, ...more] = text.split(begin);
  const end = rest?.indexOf(END) ?? -1;
  if (before === undefined || rest === undefined || end === -1 || more.length > 0)
    throw new Error(
      `cannot write the catalog into "${path}": it must have the lines "${begin.trim()}" and "${END.trim()}", once`,
    );
  return before + begin + catalog.replaceAll(/^(?=.)/gm, ' '.repeat(8)) + rest.slice(end);
}
