/** The input of a plan: the existing objects and their definitions; nothing about terminals or networks. */
import type { FunctionCaller } from '#simulator/engine.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { describeObject } from '#lib/api/names.ts';
import { controllerUid } from '#lib/api/owner.ts';
import { API_VERSION, NODE_API_VERSION } from '#lib/api/words.ts';

export interface PlanWorld {
  /** All known objects: claims, XRs and what they composed. Secrets may be missing. */
  readonly objects: readonly KubeObject[];
  /** Clusters that are refused and do not exist yet; they are not among the objects. */
  readonly refused?: readonly KubeObject[];
  /** XRDs of the claims and of what they compose. */
  readonly definitions: readonly KubeObject[];
  /** Compositions, and revisions of them if an XR is pinned to one. */
  readonly compositions: readonly KubeObject[];
  /** How to reach a function of a pipeline by its name. */
  readonly functions: (name: string) => FunctionCaller;
  /** The time functions see. */
  readonly now: Date;
}

export interface Ref {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

export function isSlipway(object: KubeObject, kind: string): boolean {
  return object.apiVersion === API_VERSION && object.kind === kind;
}

/** Whether an object is for provider-node, such as a Host. */
export function isOfProviderNode({ apiVersion }: KubeObject): boolean {
  return apiVersion === NODE_API_VERSION;
}

export function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}

export function isGoing({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

/** An XR of Slipway by kind, namespace and name. */
export function find({ objects }: Pick<PlanWorld, 'objects'>, { kind, namespace, name }: Ref): KubeObject | undefined {
  return objects.find(
    (object) => isSlipway(object, kind) && nameOf(object) === name && object.metadata?.namespace === namespace,
  );
}

/** XRs of Slipway of a kind in a namespace, by name. */
export function list(
  { objects }: Pick<PlanWorld, 'objects'>,
  kind: string,
  namespace: string | undefined,
): readonly KubeObject[] {
  return objects
    .filter((object) => isSlipway(object, kind) && object.metadata?.namespace === namespace)
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** The world with objects of the same names replaced. */
export function withObjects<World extends Pick<PlanWorld, 'objects'>>(
  world: World,
  changed: readonly KubeObject[],
): World {
  const keys = new Set(changed.map(objectKey));
  return { ...world, objects: [...world.objects.filter((object) => !keys.has(objectKey(object))), ...changed] };
}

/** The world without new Clusters that are refused: what only follows from them says nothing more. */
export function withoutRefused(world: PlanWorld, clusters: readonly KubeObject[]): PlanWorld {
  const keys = new Set(clusters.map(objectKey));
  const objects = world.objects.filter((object) => !keys.has(objectKey(object)));
  return { ...world, objects, refused: [...(world.refused ?? []), ...clusters] };
}

/** What an XR composed and what still exists of it. */
export function composedOf({ objects }: Pick<PlanWorld, 'objects'>, xr: KubeObject): readonly KubeObject[] {
  const refs = at(xr, 'spec', 'crossplane', 'resourceRefs');
  const namespace = xr.metadata?.namespace;
  const keys = new Set((Array.isArray(refs) ? refs : []).map((ref) => refKey(ref, namespace)));
  return objects.filter((object) => keys.has(objectKey(object)) && isOwn(object, xr));
}

/** Crossplane treats objects with another controller as absent. */
function isOwn(object: KubeObject, xr: KubeObject): boolean {
  const controller = controllerUid(object);
  return controller === undefined || controller === xr.metadata?.uid;
}

function refKey(ref: unknown, namespace: string | undefined): string {
  const own = namespace ?? stringAt(ref, 'namespace') ?? '';
  return [stringAt(ref, 'apiVersion'), stringAt(ref, 'kind'), own, stringAt(ref, 'name')].join('|');
}

/** One string per object. */
export function objectKey({ apiVersion, kind, metadata }: KubeObject): string {
  return [apiVersion, kind, metadata?.namespace ?? '', metadata?.name].join('|');
}

const DEFINITIONS: ReadonlySet<string> = new Set(['CompositeResourceDefinition', 'CustomResourceDefinition']);

export function definitionOf({ definitions }: Pick<PlanWorld, 'definitions'>, object: KubeObject): KubeObject {
  const found = definitions.find(
    (one) =>
      DEFINITIONS.has(one.kind) &&
      stringAt(one, 'spec', 'names', 'kind') === object.kind &&
      object.apiVersion.startsWith(`${stringAt(one, 'spec', 'group') ?? ''}/`),
  );
  if (found !== undefined) return found;
  throw new SlipwayError('MissingReference', `cannot plan ${describeObject(object)}: no XRD or CRD defines its kind`);
}
