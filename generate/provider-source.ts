/** What providers do with a change of a field, by kind, as it was read from their source. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the repository: the CRDs of providers, and `mutability.json`. */
export const CRDS = process.env['SLIPWAY_CRDS'] ?? join(import.meta.dirname, '../../shared/crds');

/** Null: the source does not say. */
export type SourceField = { readonly path: string; readonly forceNew: boolean | null };

/** Undefined: the source is not beside the repository. @param kind its group and kind; one it does not have has no fields */
export function sourceOf(kind: string): readonly SourceField[] | undefined {
  const all = read();
  return all && (all[kind]?.fields ?? []);
}

type Source = Readonly<Record<string, { readonly fields: readonly SourceField[] } | undefined>>;

let source: Source | undefined;

/** Half a megabyte, which is asked about some seventy kinds. */
function read(): Source | undefined {
  const path = join(CRDS, 'mutability.json');
  if (source === undefined && existsSync(path)) source = JSON.parse(readFileSync(path, 'utf8')) as Source;
  return source;
}
