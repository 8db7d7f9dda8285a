/** Definitions, Compositions and other objects that exist before a run begins. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { COMPOSITION, REVISION, numberOf, pipelineOf, revisionOf } from '../reconcile/composition.ts';
import { ApiError } from './api-error.ts';
import { CRD, XRD } from './builtins.ts';
import { kindOfCrd, kindOfXrd } from './definitions.ts';
import { metaOf } from './object.ts';
import { refOf } from './ref.ts';
import type { Store } from './store.ts';

const MANAGER = 'slipway';
/** Definitions first: the others need their kinds. */
const ORDER: readonly string[] = [CRD.kind, XRD.kind, COMPOSITION.kind];

export function loadAll(store: Store, objects: readonly KubeObject[]): void {
  for (const object of objects.toSorted((a, b) => rank(a) - rank(b))) loadOne(store, object);
}

function rank({ kind }: KubeObject): number {
  return ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length;
}

function loadOne(store: Store, object: KubeObject): void {
  if (object.kind === CRD.kind) store.kinds.define(kindOfCrd(object));
  if (object.kind === XRD.kind) store.kinds.define(kindOfXrd(object, 'Automatic'));
  if (object.kind === COMPOSITION.kind) pipelineOf(object);
  put(store, object);
  if (object.kind === COMPOSITION.kind) revise(store, object);
}

function put(store: Store, object: KubeObject): void {
  try {
    store.apply(object, { manager: MANAGER, strict: true });
  } catch (thrown) {
    if (!ApiError.is(thrown)) throw thrown;
    throw new SlipwayError('InvalidInput', `cannot load ${describeObject(object)}: ${thrown.message}`);
  }
}

/** An edited Composition is a new revision; one that is reverted makes its old revision the latest. */
function revise(store: Store, composition: KubeObject): void {
  const labels = { 'crossplane.io/composition-name': metaOf(composition).name ?? '' };
  const latest = Math.max(0, ...store.list({ ...REVISION, labels }).map(numberOf));
  const revision = revisionOf(composition, latest + 1);
  const known = store.find(refOf(revision));
  if (known === undefined) store.create(revision, MANAGER);
  else if (numberOf(known) < latest) store.update({ ...known, spec: { ...known.spec, revision: latest + 1 } }, MANAGER);
}
