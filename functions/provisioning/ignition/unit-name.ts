/** Names of the units that belong to paths. */
import { posix } from 'node:path';

/** The unit that belongs to a path: `/var/lib/etcd-data` is `var-lib-etcd\x2ddata.mount`. */
export function unitNameOf(path: string, suffix: 'mount' | 'swap'): string {
  const bare = posix.normalize(path).replaceAll(/^\/|\/$/g, '');
  if (bare === '') return `-.${suffix}`;
  const name = [...Buffer.from(bare)].map((byte, index) => escaped(byte, index === 0)).join('');
  return `${name}.${suffix}`;
}

function escaped(byte: number, first: boolean): string {
  const character = String.fromCharCode(byte);
  if (character === '/') return '-';
  if (/[A-Za-z0-9:_]/.test(character) || (character === '.' && !first)) return character;
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
