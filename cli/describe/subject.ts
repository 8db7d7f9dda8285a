/** The object of slipway describe, as kubectl takes it: KIND NAME, KIND/NAME or KIND/NAMESPACE/NAME. */
import type { KubeObject } from '#lib/api/json.ts';
import { nearest, oneOf } from '#lib/api/nearest.ts';
import { UsageError } from '../exit.ts';
import { kindOf, KINDS, objectRef, type ObjectRef, REF_FORM } from '../object-ref.ts';

/** The command line, by position. */
export interface Given {
  readonly kind: string;
  readonly name: string | undefined;
  readonly files: readonly string[];
  /** Of --namespace. */
  readonly namespace: string | undefined;
  /** Claims of the files, for what is no kind: `slipway describe prod FILE`. */
  readonly claims: () => readonly KubeObject[];
  /** Whether there is a file or a folder of this path. */
  readonly isFile: (path: string) => boolean;
}

/** Throws UsageError. @returns the object, and the files that come after it */
export function subjectOf({ kind: word, name, files, namespace, claims, isFile }: Given): {
  readonly subject: ObjectRef;
  readonly files: readonly string[];
} {
  if (!NAME.test(word) && isFile(word) && kindOf(word.split('/')[0] ?? '') === undefined)
    throw new UsageError(`cannot describe "${word}": it is a path; accepted: ${beforeFile(word, claims())}`);
  if (word.includes('/')) {
    const ref = objectRef(word, `describe "${word}"`);
    if (ref === undefined) throw new UsageError(`cannot describe "${word}": accepted: KIND NAME, ${REF_FORM}`);
    if (namespace !== undefined && ref.namespace !== undefined && namespace !== ref.namespace)
      throw new UsageError(`cannot describe "${word}": --namespace is "${namespace}"; accepted: one namespace`);
    return {
      subject: { ...ref, namespace: ref.namespace ?? namespace },
      files: name === undefined ? files : [name, ...files],
    };
  }
  const kind = kindOf(word);
  if (kind === undefined) throw new UsageError(`cannot describe "${word}": ${kindless(word, name, claims())}`);
  if (name !== undefined && !NAME.test(name) && isFile(name)) {
    const fitting = claims().filter((claim) => claim.kind === kind);
    throw new UsageError(
      `cannot describe ${word}: no name given, and "${name}" is a path; accepted: ${beforeFile(name, fitting)}`,
    );
  }
  if (name === undefined || name === '')
    throw new UsageError(`cannot describe ${word}: no name given; accepted: KIND NAME, ${REF_FORM}`);
  return { subject: { kind, namespace, name }, files };
}

/** No path that has a folder or an ending. */
const NAME = /^[a-z0-9-]*$/;

/** What stands before a file: the claims in it, if they are few. */
function beforeFile(file: string, claims: readonly KubeObject[]): string {
  const refs = claims.map(({ kind, metadata }) => `${kind}/${metadata?.name ?? ''} ${file}`);
  return refs.length === 0 || refs.length > 3 ? `KIND/NAME ${file}` : refs.join(' or ');
}

/** What to write where a kind is missing: the name of a claim was perhaps meant. */
function kindless(word: string, name: string | undefined, claims: readonly KubeObject[]): string {
  const refs = claims.map(({ kind, metadata }) => ({
    name: metadata?.name ?? '',
    ref: `${kind}/${metadata?.name ?? ''}`,
  }));
  const meant = refs.some(({ name }) => name === word)
    ? word
    : nearest(word, [...KINDS, ...refs.map(({ name }) => name)]);
  const fitting = [...new Set(refs.flatMap(({ name, ref }) => (name === meant ? ref : [])))];
  if (fitting.length > 0) return `no kind given; accepted: ${fitting.join(' or ')}`;
  const isAlone = word !== '' && name === undefined && nearest(word, KINDS) === undefined;
  return `accepted: ${oneOf(word, KINDS)}${isAlone ? `, then a name, such as cluster ${word}` : ''}`;
}
