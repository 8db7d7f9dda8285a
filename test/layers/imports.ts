/** The imports of all files in the layers, resolved: static ones, re-exports, types and `import()`. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from '../../cli/files/repository.ts';

export interface Import {
  /** Paths from the repository's root, with `/`. */
  readonly from: string;
  readonly to: string;
}

/** Folders whose files belong to a layer. */
const SOURCE_FOLDERS = ['lib', 'simulator', 'clouds', 'functions', 'controllers', 'cli', 'package'];
const SPECIFIER = /(?:\bfrom|\bimport|\bimport\s*\()\s*'([^']+)'/g;

/** Of files that are neither tests nor test fixtures. */
export function allImports(): readonly Import[] {
  const files = SOURCE_FOLDERS.flatMap(filesBelow).filter((file) => !/\.(test|fixture)\.ts$/.test(file));
  return files.flatMap((from) =>
    specifiersIn(readFileSync(join(ROOT, from), 'utf8')).flatMap((specifier) => {
      const to = resolved(specifier, from);
      return to === undefined ? [] : [{ from, to }];
    }),
  );
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
  } catch {
    return []; // there is no controller yet
  }
}

function specifiersIn(text: string): readonly string[] {
  return [...text.matchAll(SPECIFIER)].map(([, specifier = '']) => specifier);
}

/** Undefined for a package. */
function resolved(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : undefined;
}
