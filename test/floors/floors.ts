/** The layers of the repository, from the table in docs/architecture.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../cli/files/repository.ts';

export interface Room {
  /** As the table writes it, such as `functions/<name>/`. */
  readonly name: string;
  readonly importsFrom: readonly string[];
}

/** From the top down. */
export function roomsOfTheHouse(): readonly Room[] {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  const table = text.slice(text.indexOf('imports from  '));
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2);
  const cells = rows.map((row) => row.split('|'));
  const names = cells.map(([, name = '']) => quoted(name)[0] ?? '');
  return cells.map(([, , from = ''], floor) => ({
    name: names[floor] ?? '',
    importsFrom: from.trim() === 'everything below' ? names.slice(floor + 1) : quoted(from),
  }));
}

function quoted(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

/** The folder of the table that a file is in: the longest name that matches its path; undefined outside the table. */
export function roomOf(path: string, rooms: readonly Room[]): Room | undefined {
  const fitting = rooms.filter(({ name }) => patternOf(name).test(path));
  return fitting.toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** What distinguishes two folders of one kind: the name of the function, the cloud or the controller. */
export function ownName(path: string, room: Room): string | undefined {
  return patternOf(room.name).exec(path)?.[1];
}

function patternOf(name: string): RegExp {
  const escaped = name
    .replaceAll('.', '\\.')
    .replace(/<[a-z]+>/, '([^/]+)')
    .replace('**/', '(?:.*/)?');
  return new RegExp(`^${escaped}${name.endsWith('/') ? '' : '$'}`);
}

/** Whether a file may import another. */
export function isDown(from: string, to: string, rooms: readonly Room[]): boolean {
  const here = roomOf(from, rooms);
  const there = roomOf(to, rooms);
  if (here === undefined || there === undefined) return false;
  const own = ownName(from, here);
  if (here.name === there.name) return own === ownName(to, there);
  if (!here.importsFrom.includes(there.name)) return false;
  return !here.name.endsWith('main.ts') || own === ownName(to, there) || ownName(to, there) === undefined;
}
