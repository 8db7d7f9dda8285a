/** What the portable claims come to on a flavour: kinds, names at their longest, credentials, and secrets in clear. */
import { at, isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { validateManaged } from '../support/crds.ts';

export interface Line {
  readonly kind: string;
  readonly count: number;
  /** Longest name in the cloud; empty where the cloud gives it. */
  readonly name: string;
  readonly objectName: string;
  readonly credentials: string;
  readonly refused: readonly string[];
}

/** One line for each kind, sorted. */
export function inventoryOf(objects: readonly KubeObject[]): readonly Line[] {
  const kinds = Map.groupBy(objects, ({ apiVersion, kind }) => `${kind}.${apiVersion.split('/')[0] ?? ''}`);
  return [...kinds]
    .map(([kind, all]) => ({
      kind,
      count: all.length,
      name: longestOf(all.map(cloudName)),
      objectName: longestOf(all.map(({ metadata }) => metadata?.name ?? '')),
      credentials: [...new Set(all.map(credentialsOf))].toSorted().join(', '),
      refused: [...new Set(all.flatMap((object) => validateManaged(desiredPart(object))))],
    }))
    .toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
}

function longestOf(names: readonly string[]): string {
  return names.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0] ?? '';
}

/**
 * What a function says it is called in the cloud. Providers write ids that the cloud gives to the same place: those have
 * nothing of a namespace or a cluster with the longest name.
 */
export function cloudName({ metadata, spec }: KubeObject): string {
  const known = metadata?.annotations?.[CROSSPLANE.externalName] ?? '';
  // A path says where an object is; the name is part of it.
  const name = stringAt(spec, 'forProvider', 'name') ?? (known.startsWith('/') ? '' : known);
  return /n{8}|c{8}/.test(name) ? name : '';
}

export function credentialsOf({ spec }: KubeObject): string {
  const ref = at(spec, 'providerConfigRef');
  return isJsonObject(ref) ? `${stringAt(ref, 'kind') ?? ''} ${stringAt(ref, 'name') ?? ''}` : '';
}

/** Without what providers and Crossplane wrote. */
function desiredPart({ status: _status, ...object }: KubeObject): KubeObject {
  return object;
}

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----\s*([A-Za-z0-9+/=]{32,})/g;

/** Objects besides Secrets in which a key, token or payload of a Secret stands, as it is or in base64. */
export function secretsInClear(objects: readonly KubeObject[]): readonly string[] {
  const secrets = objects.filter(({ kind, apiVersion }) => kind === 'Secret' && apiVersion === 'v1');
  const needles = [...new Set(secrets.flatMap(needlesOf))];
  return objects
    .filter((object) => !secrets.includes(object))
    .filter((object) => {
      const text = JSON.stringify(object);
      return needles.some((needle) => text.includes(needle));
    })
    .map(({ kind, metadata }) => `${kind} ${metadata?.name ?? ''}`);
}

const PUBLIC: ReadonlySet<string> = new Set(['tls.crt', 'ca.crt', 'format']);

function needlesOf(secret: KubeObject): readonly string[] {
  const data = isJsonObject(secret['data']) ? secret['data'] : {};
  return Object.entries(data).flatMap(([key, value]) => {
    if (PUBLIC.has(key) || typeof value !== 'string' || value.length < 24) return [];
    const text = Buffer.from(value, 'base64').toString();
    const keys = [...text.matchAll(PRIVATE_KEY)].map(([, body = '']) => body.slice(0, 48));
    return [value.slice(0, 200), ...(text.length < 200 ? [text] : []), ...keys];
  });
}

/** The table, as text. */
export function printed(lines: readonly Line[], inClear: readonly string[]): string {
  const head = ['kind', 'objects', 'longest name in the cloud', 'longest object name', 'credentials', 'CRD'];
  const rows = lines.map(({ kind, count, name, objectName, credentials, refused }) => [
    kind,
    String(count),
    name === '' ? 'given by the cloud' : `${name.length}`,
    `${objectName.length}`,
    credentials,
    refused.length === 0 ? 'accepts' : refused.join('; '),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const secrets = inClear.length === 0 ? 'none' : inClear.join(', ');
  return [...[head, ...rows].map(line), '', `secrets outside of Secrets and stores: ${secrets}`, ''].join('\n');
}
