/** Whether a machine is what its pool asks for now: what goes first when there are too many. */
import { canonical, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { knownMachineSpec } from '#lib/api/kinds/machine-spec.ts';
import { ANNOTATION } from '#lib/api/words.ts';
import type { PoolMachine } from './machines.ts';
import { isExempt } from './succession.ts';
import type { Template } from './template.ts';

/**
 * A Machine's spec is read through its schema, so that what an older release left out has its default, and what only a
 * newer one knows does not count. Nor does how it came to be, where it stands and what it was ordered.
 * @returns a test that reads the template once
 */
export function outdatedBy(template: Template): (machine: { readonly object: KubeObject }) => boolean {
  const wanted = textOf({ ...template, bootstrap: { ...template.bootstrap, action: 'Join' } } as unknown as JsonObject);
  return ({ object }) => textOf(object.spec ?? {}) !== wanted;
}

/** Somebody wants another machine in its place. */
export function isAsked(machine: PoolMachine): boolean {
  return ANNOTATION.remediateMachine in machine.annotations && !isExempt(machine);
}

function textOf(spec: JsonObject): string {
  const { crossplane: _machinery, update: _order, failureDomain: _place, rolloutAfter: _restart, ...own } = spec;
  const { bootstrap, ...rest } = knownMachineSpec(own);
  const { action: _action, ...kept } = (bootstrap ?? {}) as JsonObject;
  return canonical({ ...rest, bootstrap: kept });
}
