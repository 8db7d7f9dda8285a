import { expect, test } from 'vitest';
import { CROSSPLANE } from '#lib/api/words.ts';
import { INPUT, machineOf, reply } from './machine.fixture.ts';

const KEY = 'first-boot-data-0';
const input = { ...INPUT, azure: { ...INPUT.azure, userData: 'KeyVault' } };
const machine = machineOf({ machine: { class: 'standard-4' } });
const ADDRESS = `https://kv-node.vault.azure.net/secrets/${machine.metadata?.name}`;

test('a secret has an id before Azure gives it a version, and then the one that it got', async () => {
  const made = (await reply(machine, {}, input)).resources.get(KEY)!.resource;
  expect(made.metadata?.annotations?.[CROSSPLANE.externalName]).toBe(`${ADDRESS}/${'0'.repeat(32)}`);
  const annotations = { [CROSSPLANE.externalName]: `${ADDRESS}/f00d` };
  const seen = { ...made, metadata: { ...made.metadata, annotations } };
  const again = (await reply(machine, { [KEY]: seen }, input)).resources.get(KEY)!.resource;
  expect(again.metadata?.annotations).toEqual(annotations);
});
