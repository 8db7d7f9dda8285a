/**
 * Marks that a pool writes on its Machines for itself. They are no change of anybody's: no plan, condition or event
 * names them. The template mark is a hash of the spec that a Machine was last given as a whole. While it is the hash of
 * what is desired, nothing changed but the Machine itself, so every difference is somebody's hand edit.
 */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { shortHash } from '#lib/api/names.ts';
import { ANNOTATION, LABEL } from '#lib/api/words.ts';
import type { Path } from './change.ts';
import { isMachine } from './machine.ts';
import type { Decided, FieldDecision } from './decision.ts';

export function isBookkeeping([top, kind, key]: Path): boolean {
  if (top !== 'metadata') return false;
  return (kind === 'labels' && key === LABEL.serial) || (kind === 'annotations' && key === ANNOTATION.template);
}

/** A desired Machine with its template mark; other kinds as they are, since their controllers act on an edit at once. */
export function marked(desired: KubeObject): KubeObject {
  return isMachine(desired) ? withMark(desired, templateMark(desired)) : desired;
}

/** Whether the object was given everything of what is desired, so that whatever differs was changed on it by hand. */
export function isEditedByHand(observed: KubeObject, desired: KubeObject): boolean {
  const mark = observed.metadata?.annotations?.[ANNOTATION.template];
  return mark !== undefined && isMachine(desired) && mark === templateMark(desired);
}

/**
 * `given` with the bookkeeping that goes with it: the serial it was made with, and the mark of what is desired once
 * nothing stays behind. While something does, the old mark stays; but with a part of the new fields the object is
 * neither the one nor the other, and carries none: were the rest taken back, that part would look like a hand edit.
 * @param given the object as it will be applied, with the mark of what is desired
 * @param applied decisions whose fields have their new values in it
 */
export function withBookkeeping(
  given: KubeObject,
  observed: KubeObject,
  fields: readonly Decided[],
  applied: readonly FieldDecision[],
): KubeObject {
  const numbered = withLabel(given, LABEL.serial, observed.metadata?.labels?.[LABEL.serial]);
  if (!isMachine(given)) return numbered;
  // What is ignored stays behind for good, and is not set back either.
  const asked = fields.filter(({ path, decision }) => path[0] === 'spec' && decision !== 'Ignore');
  const isGiven = ({ decision }: Decided): boolean => applied.includes(decision);
  if (asked.every(isGiven)) return numbered;
  return withMark(numbered, asked.some(isGiven) ? undefined : observed.metadata?.annotations?.[ANNOTATION.template]);
}

/** Objects of a request never change; each is hashed once. */
const marks = new WeakMap<JsonObject, string>();

function templateMark({ spec = {} }: KubeObject): string {
  const known = marks.get(spec);
  if (known !== undefined) return known;
  const { crossplane: _machinery, update: _order, ...template } = spec;
  const mark = shortHash(template, 10);
  marks.set(spec, mark);
  return mark;
}

function withMark(object: KubeObject, mark: string | undefined): KubeObject {
  const { annotations, ...metadata } = object.metadata ?? {};
  const { [ANNOTATION.template]: _old, ...others } = annotations ?? {};
  const next = mark === undefined ? others : { ...others, [ANNOTATION.template]: mark };
  return {
    ...object,
    metadata: { ...metadata, ...(Object.keys(next).length === 0 ? {} : { annotations: next }) },
  };
}

function withLabel(object: KubeObject, label: string, value: string | undefined): KubeObject {
  const { labels, ...metadata } = object.metadata ?? {};
  if (labels?.[label] === value) return object;
  const { [label]: _old, ...others } = labels ?? {};
  return { ...object, metadata: { ...metadata, labels: value === undefined ? others : { ...others, [label]: value } } };
}
