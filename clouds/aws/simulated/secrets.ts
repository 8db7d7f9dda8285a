/** Secrets Manager: secrets, the values they hold, and a machine that reads and deletes one as its role allows. */
import { type Json, type JsonObject, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import type { SecretAnswer } from '#simulator/cloud/machine.ts';
import type { Region } from '#simulator/cloud/region.ts';
import { ACCOUNT, awsKind } from './kind.ts';

/** Maximum size of a secret, in bytes. */
const LIMIT = 65_536;

const SECRET: CloudKind = awsKind('secretsmanager', {
  kind: 'Secret',
  title: 'Secrets Manager Secret',
  idPrefix: 'secret-',
  // AWS appends six random characters, so that a secret created again under its name has another ARN.
  arn: (id, attributes) =>
    `arn:aws:secretsmanager:${stringAt(attributes, 'region') ?? ''}:${ACCOUNT}:secret:${stringAt(attributes, 'name') ?? id}-${id.slice(-6)}`,
  forceNew: ['name', 'region'],
});

const VERSION: CloudKind = awsKind('secretsmanager', {
  kind: 'SecretVersion',
  title: 'Secrets Manager Secret Version',
  idPrefix: 'version-',
  forceNew: ['secretId', 'region'],
  references: { secretId: 'Secret' },
  sensitive: ['secretString', 'secretBinary'],
  hidden: ['secretString', 'secretBinary'],
  refuses: (attributes, find) => {
    if (find(stringAt(attributes, 'secretId') ?? '') === undefined) return NOT_FOUND;
    if (valueOf(attributes).length <= LIMIT) return undefined;
    return `api error ValidationException: 1 validation error detected: Member must have length less than or equal to ${LIMIT}`;
  },
});

export const SECRETS: readonly CloudKind[] = [SECRET, VERSION];

const NOT_FOUND = "api error ResourceNotFoundException: Secrets Manager can't find the specified secret.";

/** The response of GetSecretValue to a machine. */
export function readSecret(region: Region, machine: CloudObject, name: string): SecretAnswer {
  const secret = named(region, name);
  const refused = denied(region, machine, 'secretsmanager:GetSecretValue', secret, name);
  if (refused !== undefined) return { refused };
  const version = region.things.find(
    ({ kind, attributes }) => kind === VERSION && attributes['secretId'] === secret?.id,
  );
  return version === undefined ? { refused: NOT_FOUND } : { value: valueOf(version.attributes) };
}

/** What DeleteSecret deletes at once; nothing if it is refused. */
export function deletedSecret(region: Region, machine: CloudObject, name: string): readonly CloudObject[] {
  const secret = named(region, name);
  if (secret === undefined || denied(region, machine, 'secretsmanager:DeleteSecret', secret, name) !== undefined)
    return [];
  const versions = region.things.filter(
    ({ kind, attributes }) => kind === VERSION && attributes['secretId'] === secret.id,
  );
  return [...versions, secret];
}

function named(region: Region, name: string): CloudObject | undefined {
  return region.things.find(({ kind, attributes }) => kind === SECRET && attributes['name'] === name);
}

function valueOf(attributes: CloudObject['attributes']): Buffer {
  const binary = stringAt(attributes, 'secretBinary');
  return binary === undefined ? Buffer.from(stringAt(attributes, 'secretString') ?? '') : Buffer.from(binary, 'base64');
}

/** Why the role of a machine's instance profile has no permission; a missing secret is denied by its name. */
function denied(
  { things }: Region,
  machine: CloudObject,
  action: string,
  secret: CloudObject | undefined,
  name: string,
): string | undefined {
  const id = machine.attributes['iamInstanceProfile'];
  const profile = things.find((thing) => thing.kind.kind === 'InstanceProfile' && thing.id === id);
  const role = stringAt(profile?.attributes, 'role');
  if (role === undefined) return 'the instance has no role';
  const region = stringAt(machine.attributes, 'region') ?? '';
  const arn = secret?.arn ?? `arn:aws:secretsmanager:${region}:${ACCOUNT}:secret:${name}`;
  const policies = things.filter(({ kind, attributes }) => kind.kind === 'RolePolicy' && attributes['role'] === role);
  const tags = Object.entries(secret?.attributes['tags'] ?? {}).map(([key, tag]) => [`aws:ResourceTag/${key}`, tag]);
  const context = { ...Object.fromEntries(tags), 'ec2:SourceInstanceARN': machine.arn };
  if (policies.some(({ attributes }) => allows(attributes['policy'], action, arn, context)))
    return secret === undefined ? NOT_FOUND : undefined;
  return `api error AccessDeniedException: ${role} is not authorized to perform: ${action} on resource: ${arn}`;
}

function allows(policy: Json | undefined, action: string, arn: string, context: JsonObject): boolean {
  const document: unknown = JSON.parse(typeof policy === 'string' ? policy : '{}');
  const statements = isJsonObject(document) ? list(document['Statement']) : [];
  return statements
    .filter(isJsonObject)
    .filter(({ Effect }) => Effect === 'Allow')
    .some(
      ({ Action, Resource, Condition = {} }) =>
        list(Action).includes(action) &&
        list(Resource).some((one) => typeof one === 'string' && matches(one, arn)) &&
        holds(Condition, context),
    );
}

/** StringEquals is known here; any other condition is not met. */
function holds(condition: Json, context: JsonObject): boolean {
  if (!isJsonObject(condition)) return false;
  return Object.entries(condition).every(
    ([operator, wanted]) =>
      operator === 'StringEquals' &&
      isJsonObject(wanted) &&
      Object.entries(wanted).every(
        ([key, value]) => context[key] !== undefined && context[key] === filled(value, context),
      ),
  );
}

/** A text that is one variable, as in ${ec2:SourceInstanceARN}, is its value. */
function filled(wanted: Json | undefined, context: JsonObject): Json | undefined {
  if (typeof wanted !== 'string' || !wanted.startsWith('${') || !wanted.endsWith('}')) return wanted;
  return context[wanted.slice(2, -1)];
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
}

/** `*` stands for any text. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}
