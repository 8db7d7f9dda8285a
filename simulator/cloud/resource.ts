/** Reads a managed resource, and writes its conditions as the provider does. */
import { type Condition, falseCondition, trueCondition } from '#lib/api/conditions.ts';
import { type JsonObject, type KubeObject, at, isJsonObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { CloudKind, CloudObject } from './kind.ts';
import { annotationsOf } from '../store/object.ts';

export const CREATE_PENDING = 'crossplane.io/external-create-pending';
export const CREATE_SUCCEEDED = 'crossplane.io/external-create-succeeded';

export function externalName(resource: KubeObject): string | undefined {
  return annotationsOf(resource)[CROSSPLANE.externalName];
}

/** What the provider calls an object of the cloud. */
export function nameOf({ kind, id, arn }: CloudObject): string {
  return isKnownByPath(kind) ? arn : id;
}

export function isKnownByPath({ knownByPath = false }: CloudKind): boolean {
  return knownByPath !== false;
}

/** Fields that are only used on creation. */
export function initProvider(resource: KubeObject): JsonObject {
  const found = at(resource, 'spec', 'initProvider');
  return isJsonObject(found) ? found : {};
}

export function mayLateInitialize(resource: KubeObject): boolean {
  return may(resource, 'LateInitialize');
}

export function may(resource: KubeObject, policy: 'Create' | 'Update' | 'Delete' | 'LateInitialize'): boolean {
  const policies = at(resource, 'spec', 'managementPolicies');
  if (!Array.isArray(policies)) return true;
  const list = policies as readonly unknown[];
  return list.includes('*') || list.includes(policy);
}

export const AVAILABLE = trueCondition('Ready', 'Available');
export const CREATING = falseCondition('Ready', 'Creating');
export const OPERATION_DONE = trueCondition('LastAsyncOperation', 'Success');

export function operationFailed(operation: 'Create' | 'Update' | 'Delete', message: string): Condition {
  return falseCondition('LastAsyncOperation', `Async${operation}Failure`, message);
}

export function forProviderOf(resource: KubeObject): JsonObject {
  const found = resource.spec?.['forProvider'];
  return isJsonObject(found) ? found : {};
}

/** Providers do not see empty lists: their types leave them out of what they write and compare. */
export function withoutEmptyLists(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0));
}

export function withForProvider(resource: KubeObject, forProvider: JsonObject): KubeObject {
  return { ...resource, spec: { ...resource.spec, forProvider } };
}
