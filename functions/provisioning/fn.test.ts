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

describe('when first-boot data is rendered', () => {
  test('with a plan: once, as the contract says, and nothing else is touched', async () => {
    const reply = await replyTo(aRenderRequest());
    expect(Payload.parse(reply.context[CONTEXT.payload])).toMatchObject({ format: 'cloud-config', gzip: true });
    expect(reply.context).toHaveProperty([CONTEXT.bootstrapPlan]);
    expect(reply.resources.size).toBe(0);
    expect(reply.status).toEqual({});
    expect(reply.compositeReady).toBe('Unspecified');
  });

  test('without one it waits for the bootstrap step, which has said why', async () => {
    const reply = await replyTo(aRequest({ composite: aMachine() }));
    expect(reply.context).toEqual({});
    expect(reply.compositeReady).toBe('False');
    expect(reply.conditions).toEqual([]);
  });

  test('never again once it is stored, whatever the plan says by then', async () => {
    const reply = await replyTo(
      aRequest({ composite: aMachine(), observed: { payload: SECRET }, context: { [CONTEXT.bootstrapPlan]: 'other' } }),
    );
    expect(reply.context).not.toHaveProperty([CONTEXT.payload]);
    expect(reply.compositeReady).toBe('Unspecified');
  });

  test('what the plan brings about itself is left to it, also where the format has no words for it', async () => {
    const registries = [{ host: 'docker.io', mirrors: ['https://mirror.example.com'] }];
    expect(await rendered({ registries }, aPlan({ carries: ['registries'] }))).toBe(await rendered());
  });

  test('garbage in the Machine’s status does not matter here', async () => {
    const composite = aMachine({ status: { phase: 7, addresses: 'garbage' } });
    const reply = await replyTo(aRequest({ composite, context: { [CONTEXT.bootstrapPlan]: { ...aPlan() } } }));
    expect(reply.context).toHaveProperty([CONTEXT.payload]);
  });

  test('the laws of every function hold', async () => {
    const request = aRenderRequest(EVERY_PROVISIONING);
    await expectPure(run, request);
    await expectIdempotent(run, request);
  });

  test('the order of keys in claim and plan changes no byte', async () => {
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

  test.for(['init', 'control-plane', 'worker', 'everything'])('%s, key material masked', async (kind) => {
    await expect(masked(texts.get(kind) ?? '')).toMatchFileSnapshot(golden(`${kind}.yaml`));
  });
});

/** Keys are new at every run; nothing else is. */
function masked(text: string): string {
  return text
    .replaceAll(/(-----BEGIN [A-Z ]+-----)[^-]+/g, '$1 … ')
    .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:…')
    .replaceAll(/[a-z0-9]{6}\.[a-z0-9]{16}\b/g, '…');
}
