/** Whether a machine matches its pool now: outdated machines are deleted first when there are too many. */
import { canonical, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { knownMachineSpec } from '#lib/api/kinds/machine-spec.ts';
import { ANNOTATION } from '#lib/api/words.ts';
import type { PoolMachine } from './machines.ts';
import { isExempt } from './succession.ts';
import type { Template } from './template.ts';

/**
 * The spec of a Machine is parsed with its schema, so that fields that an older release left out have their defaults,
 * and fields of a newer release do not count. How it was created, where it is placed and its requested updates do not
 * count either.
 * @returns a test that parses the template once
 */
export function outdatedBy(
  template: Template,
  ignored: readonly string[] = [],
): (machine: { readonly object: KubeObject }) => boolean {
  const isIgnored = new Set([...OF_MACHINE, ...ignored]);
  const wanted = textOf(specOf(template), isIgnored);
  return ({ object }) => textOf(object.spec ?? {}, isIgnored) !== wanted;
}

/** Whether machines of one would be replaced or updated by the other. */
export function isSameTemplate(one: Template, other: Template, ignored: readonly string[]): boolean {
  const isIgnored = new Set([...OF_MACHINE, ...ignored]);
  return textOf(specOf(one), isIgnored) === textOf(specOf(other), isIgnored);
}

function specOf(template: Template): JsonObject {
  return { ...template, bootstrap: { ...template.bootstrap, action: 'Join' } } as unknown as JsonObject;
}

/** Its replacement was requested. */
export function isAsked(machine: PoolMachine): boolean {
  return ANNOTATION.remediateMachine in machine.annotations && !isExempt(machine);
}

const OF_MACHINE = ['crossplane', 'update', 'failureDomain', 'rolloutAfter'];

function textOf(spec: JsonObject, isIgnored: ReadonlySet<string>): string {
  const own = Object.entries(spec).filter(([field]) => !isIgnored.has(field));
  const known = Object.entries(knownMachineSpec(Object.fromEntries(own)));
  const { bootstrap, ...rest } = Object.fromEntries(known.filter(([field]) => !isIgnored.has(field)));
  const { action: _action, ...kept } = (bootstrap ?? {}) as JsonObject;
  return canonical({ ...rest, bootstrap: kept });
}
