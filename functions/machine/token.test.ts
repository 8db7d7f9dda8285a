/** A machine boots from the data that is stored: another call may have stored data with another token. */
import { expect, test } from 'vitest';
import { stringAt } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { aMachine } from '../../test/support/claims.ts';
import { answer, aPayload, after, keys, situation, WORLD } from './machine.fixture.ts';

const made = (token: string) => ({
  ...aPayload(),
  [CONTEXT.nodeJoin]: { contract: 1, kind: 'Kubeadm', secretRef: { name: 'x-payload', key: 'token' }, token },
});
const tokenIn = (secret: unknown) => Buffer.from(stringAt(secret, 'data', 'token') ?? '', 'base64').toString();

test('no machine is made before its first-boot data and token are stored, and the stored token stays', async () => {
  const request = situation({ machine: aMachine(), context: made('fake01.0000000000000000') });
  const first = await answer(request);
  expect(keys(first)).toEqual(['payload']);
  expect(tokenIn(first.resources.get('payload')?.resource)).toBe('fake01.0000000000000000');

  const next = { ...after(request, first, WORLD.untouched), context: made('fake02.0000000000000000') };
  const second = await answer(next);
  expect(keys(second)).toEqual(['payload', 'instance']);
  expect(tokenIn(second.resources.get('payload')?.resource)).toBe('fake01.0000000000000000');
});
