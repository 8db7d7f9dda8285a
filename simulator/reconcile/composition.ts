/** Compositions and their revisions: which one an XR uses, and its pipeline. */
import { SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, at, canonical, isJsonObject, stringAt } from '#lib/api/json.ts';
import { describeObject, sha256 } from '#lib/api/names.ts';
import type { Selector } from '#lib/fn/request.ts';
import type { Dice } from '../clock/dice.ts';
import { labelsOf, metaOf } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import { isManual, compositionName, revisionName, selectorLabels } from './machinery.ts';

export const COMPOSITION = { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition' } as const;
export const REVISION = { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositionRevision' } as const;

const NAME_LABEL = 'crossplane.io/composition-name';

export interface Step {
  readonly name: string;
  /** Name of its Composition, also for the step of a revision. */
  readonly composition: string;
  readonly function: string;
  readonly input: JsonObject | undefined;
  /** Objects that every call gets without requesting them. */
  readonly required: ReadonlyMap<string, Selector>;
}

/** The pipeline of a Composition or a revision; throws an error in one line for an invalid Composition. */
export function pipelineOf(composition: KubeObject): readonly Step[] {
  const steps = at(composition, 'spec', 'pipeline');
  if (stringAt(composition, 'spec', 'mode') !== 'Pipeline' || !Array.isArray(steps) || steps.length === 0)
    throw new SlipwayError(
      'InvalidInput',
      `cannot use ${describeObject(composition)}: spec.mode must be Pipeline and spec.pipeline must have at least one step`,
    );
  const { [NAME_LABEL]: ofRevision } = labelsOf(composition);
  return steps.map((step: unknown, index) => {
    const [name, fn] = [stringAt(step, 'step'), stringAt(step, 'functionRef', 'name')];
    if (name === undefined || fn === undefined)
      throw new SlipwayError(
        'InvalidInput',
        `cannot use ${describeObject(composition)}: spec.pipeline[${index}]: step and functionRef.name are required`,
      );
    const input = at(step, 'input');
    return {
      name,
      composition: ofRevision ?? metaOf(composition).name ?? '',
      function: fn,
      input: isJsonObject(input) ? input : undefined,
      required: bootstrapRequirements(step),
    };
  });
}

function bootstrapRequirements(step: unknown): ReadonlyMap<string, Selector> {
  const list = at(step, 'requirements', 'requiredResources');
  return new Map(
    (Array.isArray(list) ? (list as readonly unknown[]) : []).map((item): [string, Selector] => {
      const [matchName, namespace] = [stringAt(item, 'name'), stringAt(item, 'namespace')];
      const labels = at(item, 'matchLabels');
      const match =
        matchName !== undefined
          ? { matchName }
          : isJsonObject(labels)
            ? { matchLabels: labels as Readonly<Record<string, string>> }
            : {};
      return [
        stringAt(item, 'requirementName') ?? '',
        { apiVersion: stringAt(item, 'apiVersion') ?? '', kind: stringAt(item, 'kind') ?? '', namespace, ...match },
      ];
    }),
  );
}

/** The revision of a Composition; its name contains a hash of the spec, so an edit creates a new one. */
export function revisionOf(composition: KubeObject, number: number): KubeObject {
  const { name = '' } = metaOf(composition);
  const hash = sha256(canonical({ labels: labelsOf(composition), spec: composition.spec })).slice(0, 7);
  return {
    ...REVISION,
    metadata: {
      name: `${name}-${hash}`,
      labels: { ...labelsOf(composition), [NAME_LABEL]: name, 'crossplane.io/composition-hash': hash },
    },
    spec: { ...composition.spec, revision: number },
  };
}

/** A Composition that matches the XR and its selector; among several, a random one, as in Crossplane. */
export function selectComposition(store: Store, dice: Dice, xr: KubeObject): string | undefined {
  const candidates = store
    .list({ ...COMPOSITION, labels: selectorLabels(xr, 'compositionSelector') })
    .filter(({ spec }) => stringAt(spec, 'compositeTypeRef', 'apiVersion') === xr.apiVersion)
    .filter(({ spec }) => stringAt(spec, 'compositeTypeRef', 'kind') === xr.kind)
    .map((composition) => metaOf(composition).name ?? '');
  return candidates[Math.floor(dice.roll('composition', metaOf(xr).uid ?? '') * candidates.length)];
}

/** The revision that the XR should use now: its current one if its policy is Manual, otherwise the latest. */
export function selectRevision(store: Store, xr: KubeObject): KubeObject | undefined {
  const held = revisionName(xr);
  if (held !== undefined && isManual(xr)) return store.find({ ...REVISION, name: held });
  const name = compositionName(xr) ?? '';
  const labels = { ...selectorLabels(xr, 'compositionRevisionSelector'), [NAME_LABEL]: name };
  const revisions = store.list({ ...REVISION, labels });
  return revisions.toSorted((a, b) => numberOf(b) - numberOf(a))[0];
}

export function numberOf(revision: KubeObject): number {
  const number = at(revision, 'spec', 'revision');
  return typeof number === 'number' ? number : 0;
}
