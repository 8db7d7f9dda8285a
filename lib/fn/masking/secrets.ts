/**
 * What of a Secret may be shown nowhere, in latin1. Certificates and public keys are public; first-boot data and update
 * scripts are as public as what is in them, apart from values of other Secrets and private keys.
 */
import { createPrivateKey } from 'node:crypto';
import { JOIN_TOKEN_KEY } from '#lib/api/contracts/node-join.ts';
import { at, isJsonObject, type Json, type KubeObject, stringAt } from '#lib/api/json.ts';
import { isSecret as isSecretAt } from '#lib/api/shown.ts';
import { LABEL } from '#lib/api/words.ts';
import { latin1, leavesOf, looksParsed } from './leaves.ts';
import { PART } from './windows.ts';

/** Secrets of all objects, and of manifests in them. */
export function secretsOf(objects: Iterable<KubeObject>): readonly string[] {
  return [...new Set([...objects].flatMap(secretsOfObject))];
}

function secretsOfObject(object: KubeObject): readonly string[] {
  return keptIn(object).flatMap((value) => secretsIn(value));
}

/** How much more a byte of YAML or JSON costs than one of other texts. */
const PARSED = 16;

/** What it costs to find the secrets of these objects, in bytes of plain text. */
export function costOf(objects: Iterable<KubeObject>): number {
  const values = [...objects].flatMap(keptIn);
  return values.reduce((sum, value) => sum + value.length * (looksParsed(value) ? PARSED : 1), 0);
}

function keptIn(object: KubeObject): readonly string[] {
  const manifest = at(object, 'spec', 'forProvider', 'manifest');
  return [object, manifest].filter(isSecret).flatMap((one) => (isFirstBoot(one) ? tokenIn(one) : valuesOf(one)));
}

/** Texts that a claim writes openly: a Secret that has one of them keeps no secret with it. */
export function openIn(claim: KubeObject): ReadonlySet<string> {
  const { name = '', namespace = '' } = claim.metadata ?? {};
  const texts = (value: Json | undefined, path: readonly (string | number)[]): readonly string[] => {
    if (isJsonObject(value)) return Object.entries(value).flatMap(([key, member]) => texts(member, [...path, key]));
    if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item, index) => texts(item, [...path, index]));
    return typeof value !== 'string' || isSecretAt(path, claim) ? [] : [latin1(value)];
  };
  return new Set([latin1(name), latin1(namespace), ...texts(claim.spec, ['spec'])]);
}

export function isSecret(object: unknown): boolean {
  return stringAt(object, 'apiVersion') === 'v1' && stringAt(object, 'kind') === 'Secret';
}

/** Machines compose their first-boot data, with the token by which they join, and their update scripts. */
function isFirstBoot(secret: unknown): boolean {
  return at(secret, 'metadata', 'labels', LABEL.role) !== undefined;
}

function tokenIn(secret: unknown): readonly string[] {
  const token = stringAt(secret, 'data', JOIN_TOKEN_KEY);
  return token === undefined ? [] : [Buffer.from(token, 'base64').toString('latin1')];
}

function valuesOf(secret: unknown): readonly string[] {
  const texts = (key: string): readonly string[] => {
    const data = at(secret, key);
    return isJsonObject(data) ? Object.values(data).filter((value) => typeof value === 'string') : [];
  };
  return [
    ...texts('data').map((value) => Buffer.from(value, 'base64').toString('latin1')),
    ...texts('stringData').map(latin1),
  ];
}

/** A shorter part of a value is a word that may occur anywhere. */
const SHORTEST_PART = 6;
/** A shorter value is a number or a flag. */
const SHORTEST_VALUE = 3;

/** YAML and JSON within texts of others that are looked into; deeper, they are lines. */
const DEPTH = 6;

/** The secrets in one value of a Secret. @param least  characters of a value of one line */
export function secretsIn(value: string, least = SHORTEST_VALUE, depth = DEPTH): readonly string[] {
  const text = withoutPublic(value);
  const leaves = depth === 0 ? undefined : leavesOf(text);
  if (leaves !== undefined) return leaves.flatMap((leaf) => secretsIn(leaf, SHORTEST_PART, depth - 1));
  const lines = text
    .replaceAll(KEYS, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const shortest = lines.length === 1 ? least : SHORTEST_PART;
  return [...keysIn(text), ...lines.filter(({ length }) => length >= shortest), ...lines.flatMap(partsOf)];
}

const PUBLIC = /-----BEGIN (CERTIFICATE|PUBLIC KEY)-----[^-]*-----END \1-----/g;

/** Whether it is a certificate or a public key, and nothing else. */
export function isPublic(value: string): boolean {
  return withoutPublic(value).trim() === '';
}

/** Also of certificates that are encoded once more. */
function withoutPublic(value: string): string {
  const isEncoded = /^[A-Za-z0-9+/\s]{16,}(?:={1,2}\s*)?$/.test(value);
  const decoded = isEncoded ? Buffer.from(value, 'base64').toString('latin1') : value;
  return decoded.replaceAll(PUBLIC, '').trim() === '' ? '' : value.replaceAll(PUBLIC, '');
}

const KEYS = /-----BEGIN (?<what>(?:[A-Z0-9]+ )*PRIVATE KEY)-----[A-Za-z0-9+/=\s]+-----END \k<what>-----/g;

/** The private numbers of keys: everything else in them is in certificates, too. */
function keysIn(text: string): readonly string[] {
  return [...text.matchAll(KEYS)].flatMap(([pem]) => numbersOf(pem));
}

const PRIVATE_NUMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const;

/** The whole key, if it is none that can be read. */
function numbersOf(pem: string): readonly string[] {
  try {
    const key = createPrivateKey(pem).export({ format: 'jwk' });
    return PRIVATE_NUMBERS.flatMap((name) => key[name] ?? []).map((number) =>
      Buffer.from(number, 'base64url').toString('latin1'),
    );
  } catch {
    return [Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64').toString('latin1')];
  }
}

/**
 * What follows = or : in a line, without its quotes, and a password before @. Only what is shorter than a part: of
 * anything longer, every part is one of the line.
 */
function partsOf(line: string): readonly string[] {
  const before = line.includes('@') ? endsOf(line.slice(0, line.lastIndexOf('@'))) : [];
  return [...endsOf(line), ...before]
    .map((end) => end.replaceAll(/^["']|["']$/g, ''))
    .filter(({ length }) => length >= SHORTEST_PART && length < PART);
}

/** What follows the last = and :, between two quotes at most. */
function endsOf(text: string): readonly string[] {
  const ends: string[] = [];
  let begin = text.length;
  for (let at = text.length - 1; at >= 0 && text.length - begin < PART + 2; at -= 1) {
    const char = text[at] ?? '';
    if (/[=:]/.test(char)) ends.push(text.slice(begin));
    if (/\S/.test(char)) begin = at;
  }
  return ends;
}
