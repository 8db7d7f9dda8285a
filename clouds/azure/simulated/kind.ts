/** What Azure kinds have in common: a subscription, ids that are paths, and references that get them. */
import { type Json, type JsonObject, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudKind } from '#simulator/cloud/kind.ts';
import { NAMES } from './names.ts';

export const SUBSCRIPTION = '/subscriptions/00000000-0000-4000-8000-000000000001';
export const TENANT = '00000000-0000-4000-8000-000000000002';
const DOMAIN = 'azure.m.upbound.io';

type Service = '' | 'network' | 'managedidentity' | 'authorization' | 'keyvault' | 'compute';
type Own = Pick<CloudKind, 'kind' | 'title'> & Partial<Omit<CloudKind, 'arn'>> & { readonly path: Path };
type Path = (name: string, attributes: JsonObject) => string;

const QUICK = [3, 10] as const;

/** Names are parts of ids, except where the kind has a prefix for ids of the cloud. */
export function azureKind(service: Service, { path, created, references = {}, ...own }: Own): CloudKind {
  return {
    apiVersion: `${service === '' ? DOMAIN : `${service}.${DOMAIN}`}/v1beta1`,
    arn: path,
    withoutArn: true,
    refersByReportedId: true,
    seconds: { create: QUICK, update: QUICK, delete: QUICK },
    forceNew: [],
    names: NAMES[own.kind],
    references: { resourceGroupName: 'ResourceGroup', ...references },
    ...own,
    created: (object) => {
      const more = created?.(object);
      return { ...more, outputs: { id: object.arn, ...more?.outputs } };
    },
  };
}

/** An object of a resource group. @param type such as Microsoft.Network/loadBalancers */
export const inGroup =
  (type: string): Path =>
  (name, attributes) =>
    `${groupPath(attributes)}/providers/${type}/${name}`;

export function groupPath(attributes: JsonObject): string {
  return `${SUBSCRIPTION}/resourceGroups/${stringAt(attributes, 'resourceGroupName') ?? ''}`;
}

/** A part of another object, or a relation of two. @param parent the argument with its id */
export const partOf =
  (parent: string, type: string): Path =>
  (name, attributes) =>
    `${stringAt(attributes, parent) ?? ''}/${type}/${name}`;

/** A relation of two objects. @param one @param other the arguments with their ids */
export const pairOf =
  (one: string, other: string): Path =>
  (_, attributes) =>
    `${stringAt(attributes, one) ?? ''}|${stringAt(attributes, other) ?? ''}`;

export function listIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

export function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((one) => typeof one === 'string') : [];
}
