/** XRs and what they composed, as people see them; from objects alone, simulated or not. */
import { conditionOf, isManagedReady, whyNotReady } from '#lib/api/conditions.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { conditionsOf } from '../reconcile/conditions.ts';
import { compositionName, resourceRefs } from '../reconcile/machinery.ts';
import { annotationsOf, controllerOf, isDeleting, metaOf } from '../store/object.ts';
import { type ObjectRef, keyOf, refOf } from '../store/ref.ts';
import type { ComposedFacts, CompositeFacts } from './facts.ts';

type Find = (ref: ObjectRef) => KubeObject | undefined;

/** Parents before their children, then by kind and name. @param find a composed resource; undefined: it does not exist */
export function compositeFacts(xrs: readonly KubeObject[], find: Find): readonly CompositeFacts[] {
  const all = xrs.map((xr) => factsOf(xr, find)).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const known = new Set(all.map(keyOf));
  const children = Map.groupBy(all, ({ parent }) => {
    const key = parent === undefined ? undefined : keyOf(parent);
    return key !== undefined && known.has(key) ? key : undefined;
  });
  const within = (parent: CompositeFacts | undefined): readonly CompositeFacts[] =>
    (children.get(parent === undefined ? undefined : keyOf(parent)) ?? []).flatMap((xr) => [xr, ...within(xr)]);
  return within(undefined);
}

function factsOf(xr: KubeObject, find: Find): CompositeFacts {
  const parent = parentOf(xr);
  const composition = compositionName(xr);
  const cluster = stringAt(xr, 'spec', 'clusterRef', 'name');
  return {
    ...refOf(xr),
    ready: conditionOf(xr, 'Ready')?.status === 'True',
    synced: conditionOf(xr, 'Synced')?.status === 'True',
    paused: annotationsOf(xr)[CROSSPLANE.paused] === 'true',
    deleting: isDeleting(xr),
    ...(composition === undefined ? {} : { composition }),
    conditions: conditionsOf(xr).map(({ type, status, reason, message }) => ({
      type,
      status,
      reason,
      ...(message === undefined ? {} : { message }),
    })),
    ...(parent === undefined ? {} : { parent }),
    ...(parent === undefined && cluster !== undefined ? { cluster } : {}),
    composed: resourceRefs(xr)
      .map((ref) => composedFacts(ref, find(ref)))
      .toSorted((a, b) => (`${a.key}|${a.kind}` < `${b.key}|${b.kind}` ? -1 : 1)),
  };
}

function parentOf(xr: KubeObject): ObjectRef | undefined {
  const controller = controllerOf(xr);
  if (controller === undefined) return undefined;
  const { apiVersion, kind, name } = controller;
  const { namespace } = metaOf(xr);
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** They have a spec or a status, and no readiness. */
const WITHOUT_READINESS: ReadonlySet<string> = new Set(['ProviderConfig', 'ClusterProviderConfig', 'ClusterFacts']);

function composedFacts(ref: ObjectRef, object: KubeObject | undefined): ComposedFacts {
  if (object === undefined) return { ...ref, key: '', ready: false, why: 'not created yet', deleting: false };
  const annotations = annotationsOf(object);
  const passive = WITHOUT_READINESS.has(ref.kind) || (object.status === undefined && !('spec' in object));
  const ready = passive || isManagedReady(object);
  const why = ready ? undefined : whyNotReady(object);
  const externalName = annotations[CROSSPLANE.externalName];
  return {
    ...ref,
    key: annotations[CROSSPLANE.compositionResourceName] ?? '',
    ready,
    ...(why === undefined ? {} : { why }),
    deleting: isDeleting(object),
    ...(externalName === undefined ? {} : { externalName }),
  };
}
