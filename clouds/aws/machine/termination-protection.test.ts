/** Termination protection: against everyone but the provider, which must always be able to delete a machine. */
import { expect, test } from 'vitest';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aMachine, answer, anInput, call, lived, WORLD } from '../../../functions/machine/machine.fixture.ts';
import { crdsAvailable, validateManaged } from '../../../test/support/crds.ts';

const PROTECTED = anInput({ aws: { userData: 'Plain', terminationProtection: true } });
const instance = (reply: ReplyData) => reply.resources.get('instance')?.resource as KubeObject;
const protection = (reply: ReplyData): JsonObject => {
  const { disableApiTermination, forceDestroy } = at(instance(reply), 'spec', 'forProvider') as JsonObject;
  return { disableApiTermination, forceDestroy };
};
const ON = { disableApiTermination: true, forceDestroy: true };
const NONE = { disableApiTermination: undefined, forceDestroy: undefined };

test('there is none by default', async () => {
  expect(protection(await call())).toEqual(NONE);
});

test('is never set without the right of the provider to lift it, or no machine could be deleted', async () => {
  expect(protection(await call({ input: PROTECTED }))).toEqual(ON);
});

test.skipIf(!crdsAvailable())('is accepted by the CRD', async () => {
  expect(validateManaged(instance(await call({ input: PROTECTED })))).toEqual([]);
});

test('of running machines follows the Composition, and nothing else of them changes', async () => {
  const before = await lived(WORLD.joined);
  const made = before.observed.resources.get('instance')?.resource;
  const on = await answer({ ...before, input: PROTECTED });
  expect(instance(on).spec).toEqual({
    ...made?.spec,
    forProvider: { ...(made?.spec?.['forProvider'] as JsonObject), ...ON },
  });
  const off = await answer({ ...(await lived(WORLD.joined, { input: PROTECTED })), input: anInput() });
  expect(protection(off)).toEqual({ disableApiTermination: false, forceDestroy: true });
});

test('is not asked for where AWS refuses it: for spot instances', async () => {
  const patch = { spec: { forProvider: { instanceMarketOptions: { marketType: 'spot' } } } };
  const machine = aMachine({ infrastructure: { overrides: [{ kind: 'Instance', patch }] } });
  expect(protection(await call({ machine, input: PROTECTED }))).toEqual(NONE);
});
