/** The layers of the repository, from the table in docs/architecture.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../cli/files/repository.ts';

export interface Layer {
  /** As the table writes it, such as `functions/<name>/`. */
  readonly name: string;
  readonly importsFrom: readonly string[];
}

/** From the top down. */
export function layers(): readonly Layer[] {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  const table = text.slice(text.indexOf('imports from  '));
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2);
  const cells = rows.map((row) => row.split('|'));
  const names = cells.map(([, name = '']) => quoted(name)[0] ?? '');
  return cells.map(([, , from = ''], index) => ({
    name: names[index] ?? '',
    importsFrom: from.trim() === 'everything below' ? names.slice(index + 1) : quoted(from),
  }));
}

function quoted(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

/** The folder of the table that a file is in: the longest name that matches its path; undefined outside the table. */
export function layerOf(path: string, all: readonly Layer[]): Layer | undefined {
  const fitting = all.filter(({ name }) => patternOf(name).test(path));
  return fitting.toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** What distinguishes two folders of one kind: the name of the function, the cloud or the controller. */
export function ownName(path: string, layer: Layer): string | undefined {
  return patternOf(layer.name).exec(path)?.[1];
}

function patternOf(name: string): RegExp {
  const escaped = name
    .replaceAll('.', '\\.')
    .replace(/<[a-z]+>/, '([^/]+)')
    .replace('**/', '(?:.*/)?');
  return new RegExp(`^${escaped}${name.endsWith('/') ? '' : '$'}`);
}

/** What a function has for others, beside its traits. */
const FOR_OTHERS = new Set(['functions/bootstrap/configs.ts', 'functions/provisioning/formats.ts']);

/** Whether a file may import another. */
export function isDown(from: string, to: string, all: readonly Layer[]): boolean {
  const here = layerOf(from, all);
  const there = layerOf(to, all);
  if (here === undefined || there === undefined) return false;
  const own = ownName(from, here);
  if (here.name === there.name) return own === ownName(to, there) || FOR_OTHERS.has(to);
  if (!here.importsFrom.includes(there.name)) return false;
  return !here.name.endsWith('main.ts') || own === ownName(to, there) || ownName(to, there) === undefined;
}
