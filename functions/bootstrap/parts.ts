/**
 * Secrets that are created once for a cluster (authorities, keys, tokens), each in its own Secret; a bootstrapper lists
 * them.
 */
import { createHash } from 'node:crypto';
import { canonical } from '#lib/api/json.ts';
import type { World } from '#lib/fn/world.ts';
import { issueAuthority, issueServiceAccountKey, type Terms } from './pki/issue.ts';
import {
  authorityProblem,
  caCertHash,
  certificateProblem,
  clientProblem,
  keyPairProblem,
  type Pair,
  publicKeyHash,
} from './pki/pem.ts';
import type { Data } from './secrets.ts';

export interface Part {
  /** Composition resource name, and the name of the requirement of a machine. */
  readonly key: string;
  /** Suffix of the Secret name: <cluster>-<suffix>. That of Cluster API if it has one. */
  readonly suffix: string;
  /** Name of the Secret if the claim sets one; otherwise <cluster>-<suffix>. */
  readonly name?: string | undefined;
  /** Creates the data; if not set, users supply the Secret. */
  readonly make?: (world: World, terms: Terms) => Promise<Data> | Data;
  /** Why the data of a Secret cannot be used; undefined if it can. Never quotes the data. */
  readonly problem: (data: Data) => string | undefined;
  /** The same for an authority whose private key is stored elsewhere; not set if it cannot be used then. */
  readonly problemWithoutKey?: (data: Data) => string | undefined;
  /** What it is called in messages. */
  readonly what: string;
  /**
   * A hash that identifies the data; only for data without a problem. Not set if the data may be replaced: people may
   * change tokens that only joining machines use, and owners may change what they supply.
   */
  readonly fingerprint?: (data: Data) => string;
  /** It contains texts that people may have chosen: their hash could be guessed. */
  readonly texts?: true;
  /**
   * For parts that were added after releases began to keep records: without a record it was never created. The first
   * parts were created by releases without records.
   */
  readonly recordedAlways?: true;
}

export function secretName(cluster: string, { suffix, name }: Part): string {
  return name ?? `${cluster}-${suffix}`;
}

/**
 * A certificate authority under the keys tls.crt and tls.key.
 * @param own its algorithm, if it differs from all others
 */
export function authorityPart(key: string, suffix: string, commonName: string, own?: 'Ed25519'): Part {
  return {
    key,
    suffix,
    make: async (world, terms) =>
      asData(await issueAuthority(world, commonName, own === undefined ? terms : { algorithm: own })),
    problem: (data) => absentKeys(data) ?? authorityProblem(asPair(data), own ?? 'common'),
    problemWithoutKey: certificateOnlyProblem,
    what: 'authority',
    fingerprint: (data) => caCertHash(asPair(data).cert),
  };
}

/** The part for a machine that only verifies certificates. */
export function certificateOf(part: Part): Part {
  return { ...part, problem: part.problemWithoutKey ?? part.problem };
}

/** Whether it is the certificate of an authority without a key. */
export function isKeyElsewhere({ problemWithoutKey }: Part, data: Data): boolean {
  return problemWithoutKey !== undefined && asPair(data).key === '';
}

function certificateOnlyProblem(data: Data): string | undefined {
  return missing(data, ['tls.crt']) ?? certificateProblem(asPair(data).cert);
}

function absentKeys(data: Data): string | undefined {
  const absent = missing(data, ['tls.crt', 'tls.key']);
  if (absent === undefined || asPair(data).cert === '') return absent;
  return `${absent}; supply the private key of tls.crt: control planes sign with it`;
}

/** The key pair that signs service-account tokens; tls.crt is its public key. */
export function serviceAccountPart(key: string, suffix: string): Part {
  return {
    key,
    suffix,
    make: async (_world, { algorithm }) => asData(await issueServiceAccountKey(algorithm)),
    problem: (data) => missing(data, ['tls.crt', 'tls.key']) ?? keyPairProblem(asPair(data)),
    what: 'key pair',
    fingerprint: (data) => publicKeyHash(asPair(data).cert),
  };
}

type Place = Pick<Part, 'key' | 'suffix' | 'name'>;

/** A supplied certificate of an authority whose key its owner keeps. */
export function suppliedCertificate(place: Place): Part {
  return { ...place, problem: certificateOnlyProblem, what: 'authority' };
}

/** A supplied client certificate with its key. */
export function suppliedClient(place: Place): Part {
  return {
    ...place,
    problem: (data) => missing(data, ['tls.crt', 'tls.key']) ?? clientProblem(asPair(data)),
    what: 'certificate',
  };
}

/** Why the required Secret is missing, and what to do. */
export function absenceOf({ make }: Part): string {
  return make === undefined
    ? 'it does not exist; supply it, since Slipway never creates it'
    : 'it was created and no longer exists; restore it from a backup (docs/restore.md), since Slipway never creates it again';
}

/** One text of a Secret. */
interface Text {
  readonly make: (world: World) => string;
  readonly accepts: RegExp;
  /** The expected form, as in `its token is not …`. */
  readonly words: string;
}

/** A text that joining machines need, under one key. */
export function textPart({ field, ...text }: Place & Text & { readonly field: string }): Part {
  return textsPart({ ...text, fields: [field] });
}

/** Several texts of the same kind, each under its own key. */
export function textsPart({
  key,
  suffix,
  fields,
  ...text
}: Place & Text & { readonly fields: readonly string[] }): Part {
  return recordPart({ key, suffix }, Object.fromEntries(fields.map((field) => [field, text])));
}

/** Several texts of different kinds, each under its own key. */
export function recordPart(place: Place, texts: Readonly<Record<string, Text>>): Part {
  const fields = Object.entries(texts);
  return {
    ...place,
    make: (world) => Object.fromEntries(fields.map(([field, { make }]) => [field, make(world)])),
    problem: (data) => {
      const wrong = fields.find(([field, { accepts }]) => !accepts.test(data[field] ?? ''));
      const absent = missing(data, Object.keys(texts));
      if (absent !== undefined || wrong === undefined) return absent;
      return `its ${fields.length > 1 ? 'key ' : ''}${wrong[0]} is not ${wrong[1].words}`;
    },
    what: fields.length > 1 ? 'set of texts' : 'text',
    texts: true,
  };
}

/** The same for texts that must not change, because data in the cluster depends on them. */
export function pinned(part: Part): Part {
  return { ...part, fingerprint: hashOf };
}

/** Checks every key: other releases may have other keys. */
function hashOf(data: Data): string {
  return `sha256:${createHash('sha256').update(canonical(data)).digest('hex')}`;
}

export function asPair(data: Data): Pair {
  return { cert: data['tls.crt'] ?? '', key: data['tls.key'] ?? '' };
}

function asData({ cert, key }: Pair): Data {
  return { 'tls.crt': cert, 'tls.key': key };
}

function missing(data: Data, keys: readonly string[]): string | undefined {
  const absent = keys.filter((key) => (data[key] ?? '') === '');
  return absent.length === 0 ? undefined : `it has no key ${absent.join(' and no key ')}`;
}
