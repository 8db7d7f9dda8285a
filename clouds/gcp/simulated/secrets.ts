/** Secret Manager: secrets, their versions, and a machine that reads one as its account may. */
import { stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import type { SecretAnswer } from '#simulator/cloud/machine.ts';
import type { Region } from '#simulator/cloud/region.ts';
import { gcpKind, PROJECT } from './kind.ts';

/** Maximum size of a version, in bytes. */
const LIMIT = 65_536;

const SECRET: CloudKind = gcpKind('secretmanager', {
  kind: 'Secret',
  title: 'Secret',
  path: (name) => `secrets/${name}`,
  forceNew: ['project', 'replication', 'tags'],
});

const VERSION: CloudKind = gcpKind('secretmanager', {
  kind: 'SecretVersion',
  title: 'SecretVersion',
  idPrefix: 'version-',
  path: (name, attributes) => `secrets/${stringAt(attributes, 'secret') ?? ''}/versions/${name}`,
  forceNew: ['isSecretDataBase64', 'secret'],
  references: { secret: 'Secret' },
  sensitive: ['secretData'],
  hidden: ['secretData'],
  refuses: (attributes, find) => {
    if (find(stringAt(attributes, 'secret') ?? '') === undefined) return NOT_FOUND;
    if (valueOf(attributes).length <= LIMIT) return undefined;
    return `googleapi: Error 400: Secret payload exceeds the maximum size of ${LIMIT} bytes.`;
  },
});

export const SECRETS: readonly CloudKind[] = [SECRET, VERSION];

const NOT_FOUND = 'googleapi: Error 404: Secret not found, or it has no versions.';

/** The answer to a machine that asks for the latest version. */
export function readSecret(region: Region, machine: CloudObject, name: string): SecretAnswer {
  const refused = denied(region, machine, 'roles/secretmanager.secretAccessor', name);
  if (refused !== undefined) return { refused };
  const [version] = versionsOf(region, name);
  return version === undefined ? { refused: NOT_FOUND } : { value: valueOf(version.attributes) };
}

/** The account of a machine may read only: Slipway deletes its secrets. */
export function deletedSecret(): readonly CloudObject[] {
  return [];
}

function versionsOf({ things }: Region, name: string): readonly CloudObject[] {
  return things.filter(({ kind, attributes }) => kind === VERSION && attributes['secret'] === name);
}

function valueOf(attributes: CloudObject['attributes']): Buffer {
  const data = stringAt(attributes, 'secretData') ?? '';
  return Buffer.from(data, attributes['isSecretDataBase64'] === true ? 'base64' : 'utf8');
}

/** Why the account of a machine has no such role for a secret. */
function denied({ things }: Region, machine: CloudObject, role: string, name: string): string | undefined {
  const email = stringAt(machine.attributes, 'serviceAccount', 'email');
  const grants = things.filter(
    ({ kind, attributes }) =>
      kind.kind === 'ProjectIAMMember' &&
      attributes['member'] === `serviceAccount:${email}` &&
      attributes['role'] === role,
  );
  if (grants.some(({ attributes }) => applies(stringAt(attributes, 'condition', 'expression'), name))) return undefined;
  return `googleapi: Error 403: Permission denied on resource 'projects/${PROJECT}/secrets/${name}' (or it may not exist).`;
}

/** Conditions about the beginning of the name are known here; any other one is not met. */
function applies(expression: string | undefined, name: string): boolean {
  if (expression === undefined) return true;
  const prefix = /^resource\.name\.extract\("\/secrets\/\{name\}"\)\.startsWith\("([^"]+)"\)$/.exec(expression)?.[1];
  return prefix !== undefined && name.startsWith(prefix);
}
