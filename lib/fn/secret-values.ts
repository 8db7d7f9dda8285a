/**
 * Values that a Machine refers to (`contentFrom` and its like): read by the step that uses them, and never written to
 * an object that is not a Secret. Messages name the Secret and its key, never a value.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { FilledRegistry } from '#lib/api/fields/customisation.ts';
import type { Proxy, Registry } from '#lib/api/fields/host.ts';
import type { Reference } from '#lib/api/fields/value-from.ts';
import { isJsonObject, type KubeObject, own } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { atMostThree } from '#lib/api/shortened.ts';
import { whyNotClaimed } from './claimed-secret.ts';
import type { Reply } from './reply.ts';

export interface SecretValues {
  /** @param field of spec.provisioning, such as `files[0].contentFrom` */
  readonly bytes: (field: string) => Buffer;
  /** The same as text. Throws UnreadableSecret for anything else. */
  readonly text: (field: string) => string;
  /** Text in one line without spaces; the end of the line, which many tools add, does not belong to it. */
  readonly word: (field: string, accepted: RegExp, words: string) => string;
}

/** Of a claim without references. */
export const NO_VALUES: SecretValues = { bytes: () => Buffer.of(), text: () => '', word: () => '' };

export interface WaitingForSecret {
  readonly waiting: string;
  readonly reason: 'WaitingForSecret';
}

/**
 * All values, or what is missing. Throws UnreadableSecret for a Secret that no machine of this cluster may have.
 * @param references in spec.provisioning
 */
export function secretValues(
  reply: Reply,
  { metadata }: Machine,
  cluster: Cluster,
  references: readonly Reference[],
): SecretValues | WaitingForSecret {
  const { namespace } = metadata;
  const secrets = new Map<string, KubeObject | undefined>();
  const missing = new Set<string>();
  for (const { from } of references) {
    const { name, key } = from.secret;
    if (!secrets.has(name)) secrets.set(name, required(reply, namespace, name, cluster));
    const secret = secrets.get(name);
    if (secret === undefined) missing.add(`Secret "${namespace}/${name}"`);
    else if (valueOf(secret, key) === undefined) missing.add(`key ${key} of Secret "${namespace}/${name}"`);
  }
  if (missing.size > 0) return { waiting: `waiting for ${atMostThree([...missing])}`, reason: 'WaitingForSecret' };
  const places = new Map(references.map(({ field, from }) => [field, from.secret] as const));
  const bytes = (field: string): Buffer => {
    const { name = '', key = '' } = places.get(field) ?? {};
    return valueOf(secrets.get(name), key) ?? Buffer.of();
  };
  const wrong = (field: string, cause: string): SlipwayError => {
    const { name = '', key = '' } = places.get(field) ?? {};
    const place = `spec.provisioning.${field}`;
    const message = `cannot use key ${key} of Secret "${namespace}/${name}" for ${place}: it is not ${cause}`;
    return new SlipwayError('UnreadableSecret', message, { field: place });
  };
  const text = (field: string): string => {
    const found = bytes(field).toString('utf8');
    if (found !== '' && Buffer.from(found).equals(bytes(field))) return found;
    throw wrong(field, found === '' ? 'filled in' : 'text in UTF-8');
  };
  const word = (field: string, accepted: RegExp, words: string): string => {
    const found = text(field).replace(/\r?\n$/, '');
    if (accepted.test(found)) return found;
    throw wrong(field, words);
  };
  return { bytes, text, word };
}

const CREDENTIALS = /^[^\s:]{1,256}:[^\s]{1,2048}$/;
const URL = /^https?:\/\/[^\s"'\\$`]{1,2048}$/;

/** The proxy with the URLs of Secrets; the references remain. */
export function filledProxy(proxy: Proxy | undefined, values: SecretValues): Proxy | undefined {
  if (proxy === undefined) return undefined;
  const url = (field: string): string => values.word(`proxy.${field}`, URL, 'an http or https URL');
  return {
    ...proxy,
    ...(proxy.httpFrom === undefined ? {} : { http: url('httpFrom') }),
    ...(proxy.httpsFrom === undefined ? {} : { https: url('httpsFrom') }),
  };
}

/** Registries with the credentials of Secrets; the references remain. */
export function filledRegistries(registries: readonly Registry[], values: SecretValues): FilledRegistry[] {
  return registries.map((registry, index) =>
    registry.credentialsFrom === undefined
      ? registry
      : { ...registry, credentials: values.word(`registries[${index}].credentialsFrom`, CREDENTIALS, 'user:password') },
  );
}

/** Undefined until it was requested, and if there is none. */
function required(reply: Reply, namespace: string, name: string, cluster: Cluster): KubeObject | undefined {
  const [secret] =
    reply.require(`secret-${name}`, { apiVersion: 'v1', kind: 'Secret', namespace, matchName: name }) ?? [];
  const forbidden = secret === undefined ? undefined : whyNotClaimed(secret, cluster.metadata.name, cluster.status);
  if (forbidden === undefined) return secret;
  throw new SlipwayError('UnreadableSecret', `cannot use Secret "${namespace}/${name}": ${forbidden}`);
}

function valueOf(secret: KubeObject | undefined, key: string): Buffer | undefined {
  const data = secret?.['data'];
  const value = isJsonObject(data) ? own(data, key) : undefined;
  return typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
}
