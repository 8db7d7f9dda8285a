/** Files from which other programs make objects: they look like objects, or stand beside them. */
import { basename, dirname } from 'node:path';
import { UsageError } from '../exit.ts';

interface Source {
  readonly named: RegExp;
  readonly what: string;
  /** The command that prints the objects of a folder. */
  readonly prints: string;
}

const SOURCES: readonly Source[] = [
  { named: /^kustomization(\.ya?ml)?$/i, what: 'a kustomization', prints: 'kubectl kustomize' },
  { named: /^Chart\.ya?ml$/, what: 'the description of a Helm chart', prints: 'helm template' },
];

/** Throws UsageError for such a file, with what makes its objects. */
export function refuseSource(path: string): void {
  const source = SOURCES.find(({ named }) => named.test(basename(path)));
  if (source === undefined) return;
  const { what, prints } = source;
  throw new UsageError(
    `cannot use "${path}": it is ${what}; accepted: the objects that ${prints} makes of it`,
    `for example: ${prints} ${dirname(path)} > objects.yaml, and give objects.yaml instead`,
  );
}
