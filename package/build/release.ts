/** One release, one version: what a package needs of Slipway is exactly of its own release, and its content says so. */
import { valid } from 'semver';
import { at, isJsonObject, type Json, type KubeObject, stringAt } from '#lib/api/json.ts';

/** On every XRD and Composition of a package: the release it came with. */
export const RELEASE_LABEL = 'slipway.dev/release';

const REGISTRY = 'xpkg.crossplane.io/slipway';

/** Throws when Crossplane could not compare the version, or Kubernetes not write it on an object. */
export function releaseOf(text: string): string {
  const version = text.startsWith('v') ? valid(text) : null;
  if (version === null || `v${version}` !== text)
    throw new TypeError(`cannot build version "${text}"; accepted: v and three numbers, such as v0.1.0 or v0.2.0-rc.1`);
  return text;
}

/** The package's objects as they go into the release. `ours`: names of the packages that are released together. */
export function inRelease(object: KubeObject, release: string, ours: ReadonlySet<string>): KubeObject {
  if (object.apiVersion.startsWith('meta.pkg.crossplane.io/')) return withExactNeeds(object, release, ours);
  if (!object.apiVersion.startsWith('apiextensions.crossplane.io/')) return object;
  const labels = { ...object.metadata?.labels, [RELEASE_LABEL]: release };
  return { ...object, metadata: { ...object.metadata, labels } };
}

function withExactNeeds(meta: KubeObject, release: string, ours: ReadonlySet<string>): KubeObject {
  const needs = at(meta, 'spec', 'dependsOn');
  if (!Array.isArray(needs)) return meta;
  const dependsOn = needs.map((need: Json) => (isOurs(need, ours) ? { ...need, version: release } : need));
  return { ...meta, spec: { ...meta.spec, dependsOn } };
}

function isOurs(need: Json, ours: ReadonlySet<string>): need is { readonly [key: string]: Json } {
  if (!isJsonObject(need)) return false;
  const source = stringAt(need, 'package') ?? '';
  return source.startsWith(`${REGISTRY}/`) && ours.has(source.slice(REGISTRY.length + 1));
}
