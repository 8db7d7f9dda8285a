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
export function outdatedBy(template: Template): (machine: { readonly object: KubeObject }) => boolean {
  const wanted = textOf({ ...template, bootstrap: { ...template.bootstrap, action: 'Join' } } as unknown as JsonObject);
  return ({ object }) => textOf(object.spec ?? {}) !== wanted;
}

/** Its replacement was requested. */
export function isAsked(machine: PoolMachine): boolean {
  return ANNOTATION.remediateMachine in machine.annotations && !isExempt(machine);
}

function textOf(spec: JsonObject): string {
  const { crossplane: _machinery, update: _order, failureDomain: _place, rolloutAfter: _restart, ...own } = spec;
  const { bootstrap, ...rest } = knownMachineSpec(own);
  const { action: _action, ...kept } = (bootstrap ?? {}) as JsonObject;
  return canonical({ ...rest, bootstrap: kept });
}
