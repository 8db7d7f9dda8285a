import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Payload } from '#lib/api/contracts/payload.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { aMachine } from '../../test/support/claims.ts';
import { EVERY_PROVISIONING } from '../../test/support/everything.ts';
import { aBootstrappedCluster, firstBoot, machineOf, MACHINES } from '../../test/support/first-boot.ts';
import { expectIdempotent, expectOrderBlind, expectPure } from '../../test/support/function-laws.ts';
import { aRequest } from '../../test/support/request.ts';
import { run } from './fn.ts';
import { aPlan, aRenderRequest, rendered, replyTo } from './plan.fixture.ts';

const golden = (name: string): string => join(import.meta.dirname, 'golden', name);

const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'general-0-aaaaa-payload', namespace: 'team-a' } };

describe('rendering of first-boot data', () => {
  test('happens once with a plan, follows the contract, and changes nothing else', async () => {
    const reply = await replyTo(aRenderRequest());
    expect(Payload.parse(reply.context[CONTEXT.payload])).toMatchObject({ format: 'cloud-config', gzip: true });
    expect(reply.context).toHaveProperty([CONTEXT.bootstrapPlan]);
    expect(reply.resources.size).toBe(0);
    expect(reply.status).toEqual({});
    expect(reply.compositeReady).toBe('Unspecified');
  });

  test('waits without a plan for the bootstrap step, which reports why', async () => {
    const reply = await replyTo(aRequest({ composite: aMachine() }));
    expect(reply.context).toEqual({});
    expect(reply.compositeReady).toBe('False');
    expect(reply.conditions).toEqual([]);
  });

  test('is not repeated once the data is stored, even if the plan changes', async () => {
    const reply = await replyTo(
      aRequest({ composite: aMachine(), observed: { payload: SECRET }, context: { [CONTEXT.bootstrapPlan]: 'other' } }),
    );
    expect(reply.context).not.toHaveProperty([CONTEXT.payload]);
    expect(reply.compositeReady).toBe('Unspecified');
  });

  test('leaves to the plan what the plan does itself, also where the format cannot express it', async () => {
    const registries = [{ host: 'docker.io', mirrors: ['https://mirror.example.com'] }];
    expect(await rendered({ registries }, aPlan({ carries: ['registries'] }))).toBe(await rendered());
  });

  test('ignores invalid data in the status of the Machine', async () => {
    const composite = aMachine({ status: { phase: 7, addresses: 'garbage' } });
    const reply = await replyTo(aRequest({ composite, context: { [CONTEXT.bootstrapPlan]: { ...aPlan() } } }));
    expect(reply.context).toHaveProperty([CONTEXT.payload]);
  });

  test('holds the laws of every function', async () => {
    const request = aRenderRequest(EVERY_PROVISIONING);
    await expectPure(run, request);
    await expectIdempotent(run, request);
  });

  test('gives the same bytes for any order of keys in claim and plan', async () => {
    const { files: _files, commands: _commands, ...rest } = EVERY_PROVISIONING;
    const sysctls = { 'vm.swappiness': '1', 'net.core.somaxconn': '1024', 'kernel.panic': '10' };
    const reversed = Object.fromEntries(Object.entries(sysctls).toReversed());
    expect(await rendered({ sysctls: reversed })).toBe(await rendered({ sysctls }));
    expect(await rendered(Object.fromEntries(Object.entries(rest).toReversed()))).toBe(await rendered(rest));
    await expectOrderBlind(
      run,
      aRequest({ composite: aMachine(), context: { [CONTEXT.bootstrapPlan]: { ...aPlan() } } }),
    );
  });
});

describe('what a machine reads on its first boot', () => {
  const texts = new Map<string, string>();

  beforeAll(async () => {
    for (const kind of Object.keys(MACHINES) as (keyof typeof MACHINES)[]) {
      const cluster = await aBootstrappedCluster({ initialized: kind !== 'init' });
      texts.set(kind, (await firstBoot(cluster, machineOf(kind))).text);
    }
    texts.set('everything', await rendered(EVERY_PROVISIONING));
  });

  test.for(['init', 'control-plane', 'worker', 'everything'])('%s, with key material masked', async (kind) => {
    await expect(masked(texts.get(kind) ?? '')).toMatchFileSnapshot(golden(`${kind}.yaml`));
  });
});

/** Keys differ in every run; nothing else does. */
function masked(text: string): string {
  return text
    .replaceAll(/(-----BEGIN [A-Z ]+-----)[^-]+/g, '$1 … ')
    .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:…')
    .replaceAll(/[a-z0-9]{6}\.[a-z0-9]{16}\b/g, '…');
}
