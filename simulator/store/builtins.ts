/** Kinds that every API server or Crossplane serves from the start. */
import { type KubeObject, at, isJsonObject, sameJson } from '#lib/api/json.ts';
import type { Issue } from '#lib/api/parse.ts';
import { COMPOSITION, REVISION } from '../reconcile/composition.ts';
import type { Kinds } from './kinds.ts';
import { ANYTHING } from './schema/node.ts';

export const SECRET = { apiVersion: 'v1', kind: 'Secret' } as const;
export const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace' } as const;
export const XRD = { apiVersion: 'apiextensions.crossplane.io/v2', kind: 'CompositeResourceDefinition' } as const;
export const ENVIRONMENT_CONFIG = {
  apiVersion: 'apiextensions.crossplane.io/v1beta1',
  kind: 'EnvironmentConfig',
} as const;
export const CRD = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' } as const;

export function defineBuiltins(kinds: Kinds): void {
  const plain = { schema: ANYTHING, composite: false, hasStatus: false };
  kinds.define({ ...plain, ...SECRET, namespaced: true, admit: withStringData, check: secretIssues });
  kinds.define({ ...plain, apiVersion: 'v1', kind: 'ConfigMap', namespaced: true });
  for (const names of [COMPOSITION, REVISION, ENVIRONMENT_CONFIG, XRD, CRD, NAMESPACE])
    kinds.define({ ...plain, ...names, namespaced: false });
}

/** stringData is only written, never read: the API server moves it to data. */
function withStringData(secret: KubeObject): KubeObject {
  const { stringData, ...rest } = secret;
  if (!isJsonObject(stringData)) return secret;
  const encoded = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(typeof text === 'string' ? text : JSON.stringify(text)).toString('base64'),
  ]);
  const data = at(secret, 'data');
  return { ...rest, data: { ...(isJsonObject(data) ? data : {}), ...Object.fromEntries(encoded) } };
}

function secretIssues(after: KubeObject, before: KubeObject | undefined): readonly Issue[] {
  const issues: Issue[] = [];
  const data = at(after, 'data');
  for (const [key, value] of Object.entries(isJsonObject(data) ? data : {}))
    if (typeof value !== 'string' || Buffer.from(value, 'base64').toString('base64') !== value)
      issues.push({ path: `data["${key}"]`, message: 'is not base64' });
  if (before === undefined) return issues;
  if (!sameJson(before['type'], after['type'])) issues.push({ path: 'type', message: 'field is immutable' });
  if (before['immutable'] === true && after['immutable'] !== true)
    issues.push({ path: 'immutable', message: 'field is immutable when `immutable` is set' });
  if (before['immutable'] === true && !sameJson(before['data'], after['data']))
    issues.push({ path: 'data', message: 'field is immutable when `immutable` is set' });
  return issues;
}
