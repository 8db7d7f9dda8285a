/**
 * Which edits of `spec.infrastructure.overrides` the cloud carries out on a machine that runs. Overrides are laid one
 * over the other, so two lists are compared as a whole: what they differ in may only be overrides of live fields.
 */
import { isAtOrBelow } from '#lib/api/fields/field-path.ts';
import { type CloudFields, type LiveFields, stopping } from '#lib/cloud/fields.ts';
import type { Mutability } from './mutability.ts';

const NONE: LiveFields = { resource: '', returning: [], lasting: [] };

/** Why a field is not live: one line for each that the provider refuses, does not know, or stops the machine for. */
export function liveComplaints(cloud: CloudFields, mutability: Mutability): readonly string[] {
  const { kind, live = NONE } = cloud;
  const { accepted, refused } = mutability[kind] ?? { accepted: [], refused: [] };
  return [...live.returning, ...live.lasting].flatMap((field) => {
    const isNear = (other: string): boolean => isAtOrBelow(other, field) || isAtOrBelow(field, other);
    if (refused.some(isNear)) return [`${field}: the provider refuses to change it`];
    if (stopping(cloud).some(isNear)) return [`${field}: its change stops the machine`];
    return accepted.includes(field) ? [] : [`${field}: the provider does not know it`];
  });
}

/** CEL over the old and the new list; undefined when the cloud names no live field. */
export function liveOverrides({ kind, live = NONE }: CloudFields): string | undefined {
  const { resource, returning, lasting } = live;
  if (returning.length + lasting.length === 0) return undefined;
  const ofMachine = [
    `o.kind == '${kind.split('/')[1] ?? ''}'`,
    `(!has(o.resource) || o.resource == '${resource}')`,
    'has(o.patch.spec)',
    'has(o.patch.spec.forProvider)',
  ].join(' && ');
  const isLive = [
    ofMachine,
    "o.patch.all(k, k == 'spec')",
    "o.patch.spec.all(k, k == 'forProvider')",
    `[o.patch.spec.forProvider].all(p, p.all(f, ${hasValue('p[f]')} && (${known([...returning, ...lasting])})))`,
  ].join(' && ');
  const others = `[old, new].map(list, (list == null ? [] : list).filter(o, !(${isLive})))`;
  const same = `[${others}].all(two, two[0] == two[1])`;
  if (lasting.length === 0) return same;
  const names = `list != null && list.exists(o, ${ofMachine} && f in o.patch.spec.forProvider)`;
  return `${same} && ${listed(lasting)}.all(f, [old, new].map(list, ${names}) != [true, false])`;
}

/** Null takes a field away, and an empty list leaves the choice to the cloud. */
function hasValue(field: string): string {
  return `${field} != null && ${field} != []`;
}

/** Whether `f` is among the fields; of a field in a block, whether the block names no others. */
function known(fields: readonly string[]): string {
  const blocks = Map.groupBy(
    fields.filter((field) => field.includes('.')),
    (field) => field.split('.')[0] ?? '',
  );
  const inside = [...blocks].map(([block, members]) => {
    const names = members.map((member) => member.slice(block.length + 1));
    return `f == '${block}' && p[f].all(k, ${hasValue('p[f][k]')} && k in ${listed(names)})`;
  });
  return [`f in ${listed(fields.filter((field) => !field.includes('.')))}`, ...inside].join(' || ');
}

function listed(words: readonly string[]): string {
  return `[${words.map((word) => `'${word}'`).join(', ')}]`;
}
