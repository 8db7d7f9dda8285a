/** The object of slipway describe, as kubectl takes it: KIND NAME, KIND/NAME or KIND/NAMESPACE/NAME. */
import { oneOf } from '#lib/api/nearest.ts';
import { UsageError } from '../exit.ts';
import { kindOf, KINDS, objectRef, type ObjectRef, REF_FORM } from '../object-ref.ts';

/** The command line, by position. */
export interface Given {
  readonly kind: string;
  readonly name: string | undefined;
  readonly files: readonly string[];
  /** Of --namespace. */
  readonly namespace: string | undefined;
}

/** Throws UsageError. @returns the object, and the files that come after it */
export function subjectOf({ kind: word, name, files, namespace }: Given): {
  readonly subject: ObjectRef;
  readonly files: readonly string[];
} {
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
  if (kind === undefined) throw new UsageError(`cannot describe "${word}": accepted: ${oneOf(word, KINDS)}`);
  if (name === undefined)
    throw new UsageError(`cannot describe ${word}: no name given; accepted: KIND NAME, ${REF_FORM}`);
  return { subject: { kind, namespace, name }, files };
}
