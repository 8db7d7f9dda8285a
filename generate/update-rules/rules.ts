/** From what a Machine's fields are made into, and what a cloud can change, to the update rules of that cloud. */
import { isAtOrBelow } from '#lib/api/fields/field-path.ts';
import { type CloudFields, type Field, FIELDS, madeOf, resizable, stopping } from '#lib/cloud/fields.ts';
import type { Decision, Updater } from '../../functions/in-place-update/input.ts';
import type { Mutability } from './mutability.ts';
import { liveComplaints, liveOverrides } from './overrides.ts';
import { ignored, RESIZE, SAME_SIZE, updated, UPDATERS } from './updaters.ts';

export interface UpdateRule {
  readonly path: string;
  readonly when?: string;
  readonly decision: Decision;
  /** Update only. */
  readonly updater?: string;
  /** Why, for whoever reads the file. */
  readonly why: string;
}

const OVERRIDES = 'spec.infrastructure.overrides';

const OWN: readonly UpdateRule[] = [
  { path: 'metadata.labels', decision: 'Patch', why: 'Labels of the Machine object do not affect the machine.' },
  {
    path: 'metadata.annotations',
    decision: 'Patch',
    why: 'Annotations of the Machine object do not affect the machine.',
  },
];

/** The rules of a cloud. What needs a new machine has none: that is what `otherwise` says. */
export function rulesOf(cloud: CloudFields, mutability: Mutability): readonly UpdateRule[] {
  const byUpdaters = updated().map((rule) => ({ ...rule, decision: 'Update' as const }));
  const byNobody = ignored().map((rule) => ({ ...rule, decision: 'Ignore' as const }));
  return [...byUpdaters, ...byNobody, ...FIELDS.flatMap((field) => ruleOf(field, cloud, mutability)), ...OWN];
}

/** The updaters that rules name. */
export function updatersOf(rules: readonly UpdateRule[]): readonly Updater[] {
  return UPDATERS.filter(({ name }) => rules.some(({ updater }) => updater === name));
}

/** Both values mean the same, said or not. */
const sameAsAbsent = (word: string): string => `[old, new].all(one, one == null || one == '${word}')`;

function ruleOf({ path, by, when, absent }: Field, cloud: CloudFields, mutability: Mutability): readonly UpdateRule[] {
  if (by === 'Node') return [{ path, decision: 'Patch', why: 'provider-node changes it on the Node.' }];
  if (by === 'Pool') return [{ path, decision: 'Patch', why: 'Only the pool uses it.' }];
  if (by === 'Birth') return [{ path, decision: 'Ignore', why: 'A machine keeps how it was created.' }];
  if (path === OVERRIDES) return overridesOf(cloud, mutability);
  if (resizable(cloud).has(path))
    return [
      { path, when: SAME_SIZE, decision: 'Patch', why: 'Another name for the current size of the machine.' },
      { path, decision: 'Update', updater: RESIZE, why: 'The cloud stops the machine for it and starts it again.' },
    ];
  if (absent !== undefined) {
    const why = `${absent} is what is meant without it: only a label of the Node changes.`;
    return [{ path, when: sameAsAbsent(absent), decision: 'Patch', why }];
  }
  if (complaints(path, cloud, mutability).length > 0) return [];
  const why = `${madeOf(cloud, path)
    .map(({ field }) => field)
    .join(', ')} changes while the machine runs.`;
  return [{ path, ...(when === undefined ? {} : { when }), decision: 'Patch', why }];
}

function overridesOf(cloud: CloudFields, mutability: Mutability): readonly UpdateRule[] {
  const when = liveComplaints(cloud, mutability).length === 0 ? liveOverrides(cloud) : undefined;
  if (when === undefined) return [];
  const why = 'Overrides of nothing but fields that the cloud changes while the machine runs.';
  return [{ path: OVERRIDES, when, decision: 'Patch', why }];
}

/** Why a Machine's field cannot be patched on a running machine: one line for each of the cloud's fields that objects; empty when none does. */
export function complaints(path: string, cloud: CloudFields, mutability: Mutability): readonly string[] {
  const known = mutability[cloud.kind] ?? { accepted: [], refused: [] };
  const concerned = FIELDS.filter((field) => isAtOrBelow(field.path, path));
  if (concerned.length === 0 && !path.startsWith('metadata.')) return [`${path} is not a field of a Machine`];
  return concerned.flatMap((field) => {
    if (field.by === 'FirstBoot') return [`${field.path} is applied by the first boot`];
    if (field.by !== 'Cloud') return [];
    const fields = madeOf(cloud, field.path);
    if (fields.length === 0) return [`${field.path} becomes nothing that the table of the cloud has`];
    return fields.flatMap(({ field: one }) => {
      if (known.refused.some((refused) => isAtOrBelow(one, refused)))
        return [`${field.path} becomes ${one}, which the provider refuses to change`];
      if (cloud.alsoReplaces?.some((chosen) => isAtOrBelow(one, chosen)) === true)
        return [`${field.path} becomes ${one}, which the cloud reads only when it creates the machine`];
      if (stopping(cloud).some((restarting) => isAtOrBelow(one, restarting)))
        return [`${field.path} becomes ${one}, which stops the machine`];
      return known.accepted.includes(one) ? [] : [`${field.path} becomes ${one}, which the provider does not know`];
    });
  });
}

/** Rules that would patch what cannot be patched, each with its reason. */
export function refusedRules(
  rules: readonly { readonly path: string; readonly when?: string | undefined; readonly decision: string }[],
  cloud: CloudFields,
  mutability: Mutability,
): readonly string[] {
  // Their conditions leave nothing to the cloud that it could refuse; tests judge them value by value.
  const same = FIELDS.flatMap(({ absent }: Field) => (absent === undefined ? [] : [sameAsAbsent(absent)]));
  const harmless = new Set([SAME_SIZE, liveOverrides(cloud), ...same]);
  return rules.flatMap(({ path, when, decision }, index) =>
    decision === 'Patch' && (when === undefined || !harmless.has(when))
      ? complaints(path, cloud, mutability).map((line) => `rules[${index}]: ${line}`)
      : [],
  );
}
