/** Objects as people name them on the command line, by one rule for all commands: as kubectl takes them. */
import { own } from '#lib/api/json.ts';
import { oneOf } from '#lib/api/nearest.ts';
import { UsageError } from './exit.ts';

export interface ObjectRef {
  readonly kind: Kind;
  /** Undefined: any. */
  readonly namespace: string | undefined;
  readonly name: string;
}

export const KINDS = ['Cluster', 'NodePool', 'Machine'] as const;
export type Kind = (typeof KINDS)[number];

/** Those that people write; Machines are deleted by their pool. */
export const CLAIM_KINDS: readonly Kind[] = ['Cluster', 'NodePool'];

/** Every word of kubectl for a kind, in small letters. */
const WORDS: Readonly<Record<string, Kind>> = {
  cluster: 'Cluster',
  clusters: 'Cluster',
  cl: 'Cluster',
  nodepool: 'NodePool',
  nodepools: 'NodePool',
  np: 'NodePool',
  machine: 'Machine',
  machines: 'Machine',
  ma: 'Machine',
};

/** The kind of a word such as `Cluster`, `clusters`, `cl` or `clusters.slipway.dev`; undefined: it is none. */
export function kindOf(word: string): Kind | undefined {
  return own(WORDS, word.toLowerCase().replace(/(\.v1alpha1)?\.slipway\.dev$/, ''));
}

/** The form of a reference, as messages say it. */
export const REF_FORM = 'KIND/NAME or KIND/NAMESPACE/NAME';

/**
 * `KIND/NAME` or `KIND/NAMESPACE/NAME`; undefined: it has another form. Throws UsageError for a kind that is not
 * accepted.
 * @param what cannot be done otherwise, such as `accept --delete "pod/x"`
 */
export function objectRef(text: string, what: string, kinds: readonly Kind[] = KINDS): ObjectRef | undefined {
  const [word = '', ...rest] = text.split('/');
  const [name, namespace] = rest.toReversed();
  if (name === undefined || rest.includes('') || rest.length > 2) return undefined;
  const kind = kindOf(word);
  if (kind === undefined || !kinds.includes(kind))
    throw new UsageError(`cannot ${what}: accepted: ${oneOf(word, kinds)}`);
  return { kind, namespace, name };
}

/** `Cluster "team-a/prod"`, or without a namespace that is not known. */
export function refText({ kind, namespace, name }: ObjectRef): string {
  return `${kind} "${namespace === undefined ? name : `${namespace}/${name}`}"`;
}
