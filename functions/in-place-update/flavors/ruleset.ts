/** From what a Machine's fields are made into, and what a cloud can change, to the rules of a flavor. */
import { isAtOrBelow } from '#lib/api/fields/field-path.ts';
import type { Decision, Updater } from '../input.ts';
import { type Field, FIELDS, type Flavor } from './fields.ts';
import { RESIZE, UPDATED, UPDATERS } from './updaters.ts';

/** What a provider does with a change, by kind: the extract of mutability.json that is kept here. */
export type Mutability = Readonly<
  Record<string, { readonly accepted: readonly string[]; readonly refused: readonly string[] }>
>;

export interface FlavorRule {
  readonly path: string;
  readonly when?: string;
  readonly decision: Decision;
  /** Update only. */
  readonly updater?: string;
  /** Why, for whoever reads the file. */
  readonly why: string;
}

const OWN: readonly FlavorRule[] = [
  { path: 'metadata.labels', decision: 'Patch', why: 'Labels of the Machine object say nothing about the machine.' },
  { path: 'metadata.annotations', decision: 'Patch', why: 'Nor do its annotations.' },
];

/** The rules of a flavor. What needs a new machine has none: that is what `otherwise` says. */
export function rulesOf(flavor: Flavor, mutability: Mutability): readonly FlavorRule[] {
  const updated = UPDATED.map((rule) => ({ ...rule, decision: 'Update' as const }));
  return [...updated, ...FIELDS.flatMap((field) => ruleOf(field, flavor, mutability)), ...OWN];
}

/** The updaters that rules name. */
export function updatersOf(rules: readonly FlavorRule[]): readonly Updater[] {
  return UPDATERS.filter(({ name }) => rules.some(({ updater }) => updater === name));
}

function ruleOf({ path, by, when }: Field, flavor: Flavor, mutability: Mutability): readonly FlavorRule[] {
  if (by === 'Node') return [{ path, decision: 'Patch', why: 'provider-node changes it on the Node.' }];
  if (by === 'Pool') return [{ path, decision: 'Patch', why: 'Only the pool goes by it.' }];
  if (by === 'Birth') return [{ path, decision: 'Ignore', why: 'How a machine came to be it keeps.' }];
  if (isResizable(path, flavor))
    return [
      { path, decision: 'Update', updater: RESIZE, why: 'The cloud stops the machine for it and starts it again.' },
    ];
  if (complaints(path, flavor, mutability).length > 0) return [];
  const why = `${(flavor.made[path] ?? []).join(', ')} changes while the machine runs.`;
  return [{ path, ...(when === undefined ? {} : { when }), decision: 'Patch', why }];
}

/** A size: whether the cloud gives a stopped machine another one. */
function isResizable(path: string, { made, restarts }: Flavor): boolean {
  const isSize = path === 'spec.machine.class' || path === 'spec.machine.instanceType';
  const fields = made[path] ?? [];
  return isSize && fields.length > 0 && fields.every((field) => restarts.includes(field));
}

/** Why a Machine's field cannot be patched on a running machine: one line for each of the cloud's fields that objects; empty when none does. */
export function complaints(path: string, { kind, made, restarts }: Flavor, mutability: Mutability): readonly string[] {
  const known = mutability[kind] ?? { accepted: [], refused: [] };
  const concerned = FIELDS.filter((field) => isAtOrBelow(field.path, path));
  if (concerned.length === 0 && !path.startsWith('metadata.')) return [`${path} is no field of a Machine`];
  return concerned.flatMap((field) => {
    if (field.by === 'FirstBoot') return [`${field.path} is made so by the first boot`];
    if (field.by !== 'Cloud') return [];
    const fields = made[field.path] ?? [];
    if (fields.length === 0) return [`${field.path} is made into nothing the flavor names`];
    return fields.flatMap((one) => {
      if (known.refused.some((refused) => isAtOrBelow(one, refused)))
        return [`${field.path} is made into ${one}, which the provider refuses to change`];
      if (restarts.some((restarting) => isAtOrBelow(one, restarting)))
        return [`${field.path} is made into ${one}, which stops the machine`];
      return known.accepted.includes(one)
        ? []
        : [`${field.path} is made into ${one}, which the provider does not know`];
    });
  });
}

/** Rules that would patch what cannot be patched, each with its reason. */
export function refusedRules(
  rules: readonly { readonly path: string; readonly decision: string }[],
  flavor: Flavor,
  mutability: Mutability,
): readonly string[] {
  return rules.flatMap(({ path, decision }, index) =>
    decision === 'Patch' ? complaints(path, flavor, mutability).map((line) => `rules[${index}]: ${line}`) : [],
  );
}
