/** First-boot data: created once, stored in an immutable Secret, and only read after that. */
import { CONTEXT, SECRET_TYPE } from '#lib/api/words.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { referencesIn } from '#lib/api/fields/value-from.ts';
import { JOIN_TOKEN_KEY } from '#lib/api/contracts/node-join.ts';
import { Payload, PAYLOAD_KEYS, PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { labelsOf } from '#lib/cloud/labels.ts';
import { type Apart, type FirstBoot, payloadName } from '#lib/cloud/first-boot.ts';
import { payloadTraits } from '../provisioning/traits.ts';
import { tokenOf } from './join.ts';
import type { Situation } from './situation.ts';

/**
 * The stored data or, before there is any, the data from the provisioning step; undefined while that is missing. Throws
 * UnreadableSecret if stored data no longer exists: other data would not be what the machine booted from.
 */
export function firstBoot(situation: Situation, context: JsonObject): FirstBoot | undefined {
  const stored = situation.observed.get(PAYLOAD_RESOURCE);
  if (stored !== undefined) return readSecret(stored, situation);
  if (situation.previous.payload !== undefined) throw unreadable(secretOfName(situation), 'it no longer exists');
  const rendered = context[CONTEXT.payload];
  if (rendered === undefined) return undefined;
  const payload = parseAs(Payload, rendered, 'the payload of the provisioning step', 'BrokenContract');
  const { fetchedWhole, joinSecrets } = payloadTraits(payload.format);
  return {
    secret: secretOf(situation, payload, tokenOf(context)),
    format: payload.format,
    bytes: Buffer.from(payload.value, 'base64'),
    gzip: payload.gzip,
    apart: payload.apart === undefined ? undefined : decoded(payload.apart),
    fetchedWhole,
    joinSecrets,
    claimSecrets: hasSecrets(situation),
  };
}

function hasSecrets({ machine }: Situation): boolean {
  return referencesIn(machine.spec.provisioning).length > 0;
}

function decoded({ open, sealed, before }: NonNullable<Payload['apart']>): Apart {
  return { open: Buffer.from(open, 'base64'), sealed: Buffer.from(sealed, 'base64'), before };
}

function secretOfName({ machine }: Situation): Pick<KubeObject, 'kind' | 'metadata'> {
  const { name, namespace } = machine.metadata;
  return { kind: 'Secret', metadata: { name: payloadName(name), namespace } };
}

const encode = (text: string): string => Buffer.from(text).toString('base64');

function secretOf(
  { machine }: Situation,
  { value, format, gzip, apart }: Payload,
  token: string | undefined,
): KubeObject {
  const { name, namespace } = machine.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: payloadName(name), namespace, labels: labelsOf(machine) },
    type: SECRET_TYPE,
    immutable: true,
    data: {
      [PAYLOAD_KEYS.value]: value,
      [PAYLOAD_KEYS.format]: encode(format),
      [PAYLOAD_KEYS.gzip]: encode(String(gzip)),
      ...(apart === undefined
        ? {}
        : {
            [PAYLOAD_KEYS.open]: apart.open,
            [PAYLOAD_KEYS.sealed]: apart.sealed,
            [PAYLOAD_KEYS.before]: encode(apart.before),
          }),
      ...(token === undefined ? {} : { [JOIN_TOKEN_KEY]: encode(token) }),
    },
  };
}

function readSecret(stored: KubeObject, situation: Situation): FirstBoot {
  const value = stringAt(stored, 'data', PAYLOAD_KEYS.value);
  const encoded = stringAt(stored, 'data', PAYLOAD_KEYS.format);
  if (value === undefined) throw unreadable(stored, `it has no key ${PAYLOAD_KEYS.value}`);
  if (encoded === undefined) throw unreadable(stored, `it has no key ${PAYLOAD_KEYS.format}`);
  const gzip = stringAt(stored, 'data', PAYLOAD_KEYS.gzip) ?? '';
  const format = Buffer.from(encoded, 'base64').toString();
  const { fetchedWhole, joinSecrets } = payloadTraits(format);
  return {
    secret: asDesired(stored),
    format,
    bytes: Buffer.from(value, 'base64'),
    gzip: Buffer.from(gzip, 'base64').toString() === 'true',
    apart: readApart(stored),
    fetchedWhole,
    joinSecrets,
    claimSecrets: hasSecrets(situation),
  };
}

const APART = [PAYLOAD_KEYS.open, PAYLOAD_KEYS.sealed, PAYLOAD_KEYS.before] as const;

/** Undefined for a Secret that was stored whole. One that lost a part is not whole: its value contains the secrets. */
function readApart(stored: KubeObject): Apart | undefined {
  const parts = APART.map((key) => stringAt(stored, 'data', key));
  const [open, sealed, before] = parts;
  if (open !== undefined && sealed !== undefined && before !== undefined)
    return decoded({ open, sealed, before: Buffer.from(before, 'base64').toString() });
  if (parts.every((part) => part === undefined)) return undefined;
  throw unreadable(
    stored,
    `it has no key ${APART.filter((_, index) => parts[index] === undefined).join(' and no key ')}`,
  );
}

function unreadable(secret: Pick<KubeObject, 'kind' | 'metadata'>, why: string): SlipwayError {
  return new SlipwayError(
    'UnreadableSecret',
    `cannot read first-boot data from ${describeObject(secret)}: ${why}; restore it, or delete its Machine`,
  );
}
