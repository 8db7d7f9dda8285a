/** Which Composition an XR uses: the one it has, or the one that its selector selects. */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { describeObject } from '#lib/api/names.ts';
import { didYouMean, distance, nearest } from '#lib/api/nearest.ts';
import { LABEL } from '#lib/api/words.ts';
import { selectorLabels } from '#simulator/reconcile/machinery.ts';
import { ownerOf } from './machines.ts';
import type { Refusal } from './refusal.ts';
import { definitionOf, nameOf, type PlanWorld } from './world.ts';

type Machinery = Pick<PlanWorld, 'definitions' | 'compositions'>;

/** Undefined unless nothing says which of several Compositions: Crossplane then takes any of them. */
export function undecided(world: PlanWorld, xr: KubeObject): Refusal | undefined {
  if (chosenFor(world, xr) !== undefined || Object.keys(selectorLabels(xr, 'compositionSelector')).length > 0)
    return undefined;
  const fitting = world.compositions.filter((one) => one.kind === 'Composition' && isFor(one, xr));
  const count = new Set(fitting.map(nameOf)).size;
  if (count < 2) return undefined;
  const flavours = fitting.flatMap(({ metadata }) => metadata?.labels?.[LABEL.flavor] ?? []);
  const accepted =
    flavours.length === 0 ? 'labels of one' : `${LABEL.flavor}: ${[...new Set(flavours)].toSorted().join(', ')}`;
  return {
    step: undefined,
    field: 'spec.crossplane.compositionSelector',
    reason: `is missing, and ${count} Compositions fit, of which Crossplane takes any; accepted: matchLabels ${accepted}`,
  };
}

/** The name that the XR has, or that its definition gives it. */
function chosenFor(world: Machinery, xr: KubeObject): string | undefined {
  const { spec } = definitionOf(world, xr);
  const enforced = stringAt(spec, 'enforcedCompositionRef', 'name');
  const chosen = enforced ?? stringAt(xr, 'spec', 'crossplane', 'compositionRef', 'name');
  if (chosen !== undefined || at(xr, 'spec', 'crossplane', 'compositionSelector') !== undefined) return chosen;
  return stringAt(spec, 'defaultCompositionRef', 'name');
}

/**
 * Throws MissingReference if there is none. As in Crossplane, a selected Composition stays selected even if the
 * selector changes; it is then given the labels of the selector, so that a render accepts it.
 */
export function compositionFor(world: Machinery, xr: KubeObject): KubeObject {
  const { compositions } = world;
  const wanted = selectorLabels(xr, 'compositionSelector');
  const chosen = chosenFor(world, xr);
  const held = stringAt(xr, 'spec', 'crossplane', 'compositionUpdatePolicy') === 'Manual';
  const revision = held ? stringAt(xr, 'spec', 'crossplane', 'compositionRevisionRef', 'name') : undefined;
  const fitting = compositions.filter((one) => isFor(one, xr));
  const found =
    fitting.find((one) => one.kind === 'CompositionRevision' && nameOf(one) === revision) ??
    fitting.find((one) => one.kind === 'Composition' && nameOf(one) === chosen) ??
    fitting.find((one) => one.kind === 'Composition' && chosen === undefined && hasLabels(one, wanted));
  if (found !== undefined)
    return { ...found, metadata: { ...found.metadata, labels: { ...found.metadata?.labels, ...wanted } } };
  throw notFound(world, xr, fitting);
}

/** With what the Compositions of its kind are chosen by, as the claim does: their names or their labels. */
function notFound(world: Machinery, xr: KubeObject, fitting: readonly KubeObject[]): SlipwayError {
  const chosen = chosenFor(world, xr);
  const labels = labelText(selectorLabels(xr, 'compositionSelector'));
  const known = chosen === undefined ? labelsOf(fitting) : namesOf(fitting);
  const meant = chosen === undefined ? meantLabels(xr, fitting) : didYouMean(chosen, known);
  const accepted = known.length === 0 ? 'none is installed' : `${known.join('; ')}${meant || yoursUnless(fitting)}`;
  const other = world.compositions.find((one) => one.kind === 'Composition' && nameOf(one) === chosen);
  const cause =
    other === undefined
      ? `there is no Composition ${chosen === undefined ? `with labels ${labels}` : `named ${chosen}`} for its kind`
      : `Composition ${nameOf(other)} is for ${stringAt(other, 'spec', 'compositeTypeRef', 'kind') ?? 'another kind'}`;
  return new SlipwayError('MissingReference', `cannot compose ${describeObject(xr)}: ${cause}; accepted: ${accepted}`, {
    field: chosenBy(xr, fitting),
    object: chooserOf(xr),
  });
}

/** The claim that it is chosen in: of the pool of a control plane, its Cluster. */
function chooserOf(xr: KubeObject): NonNullable<SlipwayError['object']> {
  const { namespace } = xr.metadata ?? {};
  const isComposed = xr.kind === 'NodePool' && stringAt(xr, 'spec', 'role') === 'control-plane';
  return isComposed
    ? { kind: 'Cluster', namespace, name: ownerOf(xr).cluster }
    : { kind: xr.kind, namespace, name: nameOf(xr) };
}

/** The field that names it: of a selector, the first label that no Composition has. Empty if its definition does. */
function chosenBy(xr: KubeObject, fitting: readonly KubeObject[]): string {
  if (stringAt(xr, 'spec', 'crossplane', 'compositionRef', 'name') !== undefined)
    return 'spec.crossplane.compositionRef.name';
  const labels = Object.entries(selectorLabels(xr, 'compositionSelector'));
  if (labels.length === 0) return '';
  const wrong = labels.find(([key, value]) => !fitting.some((one) => hasLabels(one, { [key]: value })));
  const label = wrong === undefined ? '' : `["${wrong[0]}"]`;
  return `spec.crossplane.compositionSelector.matchLabels${label}`;
}

/** Where the author of a flavor perhaps has it. A cluster has all that it can use. */
function yoursUnless(installed: readonly KubeObject[]): string {
  const isInCluster = installed.some(({ metadata }) => metadata?.uid !== undefined);
  return isInCluster ? '' : '; or yours, with --compositions FOLDER';
}

/** Flavors are short words: one slip is near in any. */
function isNear(wrote: string, is: string): boolean {
  return distance(wrote, is) <= 1 || nearest(wrote, [is]) !== undefined;
}

/** The labels of one Composition that are near, word by word: most of their text is the same in all. */
function meantLabels(xr: KubeObject, fitting: readonly KubeObject[]): string {
  const wanted = Object.entries(selectorLabels(xr, 'compositionSelector'));
  const near = fitting.filter(({ metadata }) =>
    wanted.every(([key, value]) =>
      Object.entries(metadata?.labels ?? {}).some((label) => isNear(key, label[0]) && isNear(value, label[1])),
    ),
  );
  const [meant, ...others] = labelsOf(near);
  return meant === undefined || others.length > 0 ? '' : `; did you mean "${meant}"?`;
}

function labelsOf(compositions: readonly KubeObject[]): readonly string[] {
  const labels = compositions
    .filter(({ kind, metadata }) => kind === 'Composition' && metadata?.labels !== undefined)
    .map(({ metadata }) => labelText(metadata?.labels ?? {}));
  return [...new Set(labels)].toSorted();
}

function namesOf(compositions: readonly KubeObject[]): readonly string[] {
  return compositions
    .filter(({ kind }) => kind === 'Composition')
    .map(nameOf)
    .toSorted();
}

function isFor(composition: KubeObject, { apiVersion, kind }: KubeObject): boolean {
  const type = at(composition, 'spec', 'compositeTypeRef');
  return stringAt(type, 'apiVersion') === apiVersion && stringAt(type, 'kind') === kind;
}

function hasLabels({ metadata }: KubeObject, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([key, value]) => metadata?.labels?.[key] === value);
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
