/**
 * Custom data of a machine: what cloud-init reads on the first boot. The provider takes it from a Secret, and cannot
 * change it later, so that the Secret stays as it was when the machine was created.
 */
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { labelsOf } from '#lib/cloud/labels.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import type { Situation } from './situation.ts';

/** Composition resource name. */
const CUSTOM_DATA = 'custom-data';

/** @param made what the machine boots from, in base64; undefined: the machine exists, and it is not observed */
export function customData(situation: Situation, made: string | undefined, exists: boolean): readonly Entry[] {
  const observed = situation.observed.get(CUSTOM_DATA);
  if (exists && observed !== undefined) return [[CUSTOM_DATA, asDesired(observed)]];
  return made === undefined ? [] : [[CUSTOM_DATA, secretOf(situation, made)]];
}

export function customDataRef({ machine }: Situation): JsonObject {
  return { name: nameOf(machine.metadata.name), key: PAYLOAD_KEYS.value };
}

/** What an existing machine was created with, in base64. */
export function customDataIn({ observed }: Situation): string | undefined {
  const data = stringAt(observed.get(CUSTOM_DATA), 'data', PAYLOAD_KEYS.value);
  return data === undefined ? undefined : Buffer.from(data, 'base64').toString();
}

const nameOf = (machine: string): string => `${machine}-${CUSTOM_DATA}`;

/** The provider takes base64, and the data of a Secret is in base64 itself. */
function secretOf({ machine }: Situation, made: string): KubeObject {
  const { name, namespace } = machine.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: nameOf(name), namespace, labels: labelsOf(machine) },
    data: { [PAYLOAD_KEYS.value]: Buffer.from(made).toString('base64') },
  };
}
