/** First-boot data: made once, stored in an immutable Secret, and from then on only read. */
import { CONTEXT, LABEL, SECRET_TYPE } from '#lib/api/words.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { Payload, PAYLOAD_KEYS, PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Situation } from './situation.ts';

export interface FirstBoot {
  readonly secret: KubeObject;
  readonly format: string;
  readonly bytes: Uint8Array;
  /** Whether what reads it on the machine also reads it gzipped. */
  readonly gzip: boolean;
}

/** The data as stored or, before there is any, as the provisioning step rendered it; undefined while it is awaited. */
export function firstBoot(situation: Situation, context: JsonObject): FirstBoot | undefined {
  const stored = situation.observed.get(PAYLOAD_RESOURCE);
  if (stored !== undefined) return readSecret(stored);
  const rendered = context[CONTEXT.payload];
  if (rendered === undefined) return undefined;
  const payload = parseAs(Payload, rendered, 'the payload of the provisioning step', 'BrokenContract');
  return {
    secret: secretOf(situation, payload),
    format: payload.format,
    bytes: Buffer.from(payload.value, 'base64'),
    gzip: payload.gzip,
  };
}

/** Name of a Machine's payload Secret. */
export function payloadName(machine: string): string {
  return `${machine}-payload`;
}

const encode = (text: string): string => Buffer.from(text).toString('base64');

function secretOf({ machine }: Situation, { value, format, gzip }: Payload): KubeObject {
  const { name, namespace } = machine.metadata;
  const cluster = machine.spec.clusterRef.name;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: payloadName(name),
      namespace,
      labels: { [LABEL.clusterName]: cluster, [LABEL.cluster]: cluster },
    },
    type: SECRET_TYPE,
    immutable: true,
    data: {
      [PAYLOAD_KEYS.value]: value,
      [PAYLOAD_KEYS.format]: encode(format),
      [PAYLOAD_KEYS.gzip]: encode(String(gzip)),
    },
  };
}

function readSecret(stored: KubeObject): FirstBoot {
  const read = (key: string): string => {
    const text = stringAt(stored, 'data', key);
    if (text === undefined)
      throw new SlipwayError(
        'UnreadableSecret',
        `cannot read ${describeObject(stored)}: it has no key ${key}; restore it, or delete its Machine`,
      );
    return text;
  };
  return {
    secret: asDesired(stored),
    format: Buffer.from(read(PAYLOAD_KEYS.format), 'base64').toString(),
    bytes: Buffer.from(read(PAYLOAD_KEYS.value), 'base64'),
    gzip: Buffer.from(read(PAYLOAD_KEYS.gzip), 'base64').toString() === 'true',
  };
}
