/**
 * Bookkeeping that a pool writes on its Machines for itself. Plans, conditions and events do not mention it. The
 * template annotation is a hash of the spec that a Machine was last given completely. While it equals the hash of the
 * desired spec, only the Machine itself was edited, so every difference is a direct edit.
 */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { shortHash } from '#lib/api/names.ts';
import { ANNOTATION, LABEL } from '#lib/api/words.ts';
import type { Path } from './change.ts';
import { isMachine } from './machine.ts';
import type { Decided, FieldDecision } from './decision.ts';
import { ownSpec } from './specs.ts';

export function isBookkeeping([top, kind, key]: Path): boolean {
  if (top !== 'metadata') return false;
  return (kind === 'labels' && key === LABEL.serial) || (kind === 'annotations' && key === ANNOTATION.template);
}

/**
 * A desired Machine with its template annotation; other kinds unchanged, because their controllers react to an edit at
 * once.
 */
export function marked(desired: KubeObject): KubeObject {
  return isMachine(desired) ? withMark(desired, templateMark(desired)) : desired;
}

/** Whether the object got the whole desired spec, so that every difference is a direct edit. */
export function isEditedByHand(observed: KubeObject, desired: KubeObject): boolean {
  const mark = observed.metadata?.annotations?.[ANNOTATION.template];
  return mark !== undefined && isMachine(desired) && mark === templateMark(desired);
}

/**
 * `given` with its bookkeeping: its serial number, and the template annotation of the desired spec once all fields are
 * applied. Until then the old annotation stays. An object with only some of the new fields has no annotation: if the
 * rest were reverted in the claim, these fields would look like a direct edit.
 * @param given the object as it will be applied, with the desired annotation
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
  // Ignored fields keep their old value, and are not reverted either.
  const asked = fields.filter(({ path, decision }) => path[0] === 'spec' && decision !== 'Ignore');
  const isGiven = ({ decision }: Decided): boolean => applied.includes(decision);
  if (asked.every(isGiven)) return numbered;
  return withMark(numbered, asked.some(isGiven) ? undefined : observed.metadata?.annotations?.[ANNOTATION.template]);
}

/** Specs that are the same are one object; each is hashed once. */
const marks = new WeakMap<JsonObject, string>();

function templateMark(desired: KubeObject): string {
  const template = ownSpec(desired);
  const mark = marks.get(template) ?? shortHash(template, 10);
  marks.set(template, mark);
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
