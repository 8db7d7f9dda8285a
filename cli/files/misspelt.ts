/** Typing errors in the kind or the API group of an object that was meant for Slipway: it would be passed over. */
import { type KubeObject, own } from '#lib/api/json.ts';
import { COMPOSITES, NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { describeObject } from '#lib/api/names.ts';
import { nearest, oneOf } from '#lib/api/nearest.ts';
import { API_VERSION, INPUT_API_VERSION } from '#lib/api/words.ts';
import { UsageError } from '../exit.ts';
import { placesText } from './place.ts';
import type { Placed } from './read-objects.ts';

export interface Misspelt {
  /** Whether it was meant to be a claim. */
  readonly isClaim: boolean;
  readonly field: 'apiVersion' | 'kind';
  /** What is wrong, and what is accepted. */
  readonly reason: string;
}

/** The kinds that a platform or a team writes into files, by their apiVersion. */
const OURS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...Map.groupBy([...COMPOSITES, ...NODE_KINDS], ({ group }) => `${group}/v1alpha1`)].map(([apiVersion, kinds]) => [
    apiVersion,
    kinds.map(({ kind }) => kind),
  ]),
);
const OF_CROSSPLANE: Readonly<Record<string, readonly string[]>> = {
  'apiextensions.crossplane.io/v1': ['Composition', 'CompositionRevision'],
  'apiextensions.crossplane.io/v1beta1': ['EnvironmentConfig'],
  'apiextensions.crossplane.io/v2': ['CompositeResourceDefinition'],
};
const VERSIONS = [...Object.keys(OURS), ...Object.keys(OF_CROSSPLANE), INPUT_API_VERSION];
const GROUPS = VERSIONS.map(groupOf);

/** The kinds of Slipway that a claim may have; Machines are created by their pool. */
const CLAIMS = ['Cluster', 'NodePool'];

/** Undefined: it is known, or has nothing to do with Slipway. */
export function misspelt({ apiVersion, kind }: KubeObject): Misspelt | undefined {
  const group = groupOf(apiVersion);
  const kinds = own(OURS, apiVersion);
  if (kinds !== undefined)
    return kinds.includes(kind) ? undefined : fault(group, 'kind', kind, apiVersion === API_VERSION ? CLAIMS : kinds);
  const ours = Object.keys(OURS).filter((one) => groupOf(one) === group);
  if (ours.length > 0) return fault(group, 'apiVersion', apiVersion, ours);
  if (GROUPS.includes(group)) {
    const known = Object.values(OF_CROSSPLANE).flat();
    return !known.includes(kind) && nearest(kind, known) !== undefined ? fault(group, 'kind', kind, known) : undefined;
  }
  const meant = nearest(group, GROUPS);
  if (meant === undefined) return undefined;
  const versions = VERSIONS.filter((one) => groupOf(one) === meant);
  return fault(meant, 'apiVersion', apiVersion, versions);
}

/** @param group  that was meant */
function fault(group: string, field: Misspelt['field'], value: string, names: readonly string[]): Misspelt {
  const isClaim = group === groupOf(API_VERSION);
  return { isClaim, field, reason: `"${value}" is not accepted; accepted: ${oneOf(value, names)}` };
}

function groupOf(apiVersion: string): string {
  return apiVersion.split('/')[0] ?? apiVersion;
}

/** Throws UsageError for the first such object. @param verb what cannot be done otherwise */
export function refuseMisspelt(placed: readonly Placed[], verb: string): void {
  for (const { object, placeOf } of placed) {
    const found = misspelt(object);
    if (found !== undefined)
      throw new UsageError(
        `cannot ${verb} ${describeObject(object)}: ${found.field}: ${found.reason}`,
        placesText([placeOf([found.field])]),
      );
  }
}
