/** What AWS kinds have in common: groups, ARNs, and that most operations take a second or two. */
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudKind } from '#simulator/cloud/kind.ts';
import { NAMES } from './names.ts';

export const ACCOUNT = '123456789012';

type Service = 'ec2' | 'elbv2' | 'iam' | 'secretsmanager';
type Own = Pick<CloudKind, 'kind' | 'title'> & Partial<CloudKind>;

const QUICK = [1, 3] as const;

export function awsKind(service: Service, own: Own): CloudKind {
  return {
    apiVersion: `${service}.aws.m.upbound.io/v1beta1`,
    arn: (id, attributes) => ec2Arn(own.kind.toLowerCase(), id, attributes),
    seconds: { create: QUICK, update: QUICK, delete: QUICK },
    forceNew: [],
    references: {},
    names: NAMES[own.kind],
    ...own,
  };
}

export function ec2Arn(type: string, id: string, attributes: JsonObject): string {
  return `arn:aws:ec2:${stringAt(attributes, 'region') ?? ''}:${ACCOUNT}:${type}/${id}`;
}
