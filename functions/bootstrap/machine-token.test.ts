/** The token of one machine: when the function makes it, which data contains it, and what provider-node reads. */
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { aBootstrappedCluster, MACHINE_TOKEN, machineOf, machineRequest } from '../../test/support/first-boot.ts';
import { expectIdempotent, expectNeverSmaller, replyOf } from '../../test/support/function-laws.ts';
import { aRequest } from '../../test/support/request.ts';
import { run } from './fn.ts';
import { fileIn } from './plans.fixture.ts';

const made = await aBootstrappedCluster();
const first = await aBootstrappedCluster({ initialized: false });
const secretRef = { name: 'prod-worker-0-aaaaa-payload', key: 'token' };

function payload(data: Readonly<Record<string, string>>): KubeObject {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretRef.name, namespace: 'team-a' },
    data: Object.fromEntries(encoded),
  };
}

const joinsBy = async (provider: string, stored: KubeObject) => {
  const composite = machineOf('worker', {}, {}, provider);
  const reply = await replyOf(run, aRequest({ composite, observed: { payload: stored } }));
  expect([...reply.resources.keys(), ...reply.requirements.keys()]).toEqual([]);
  return reply.context;
};

describe('the token of a machine', () => {
  test('is made with the first-boot data that contains it, and handed on to be stored with it', async () => {
    const request = machineRequest(made, machineOf('worker'));
    const reply = await replyOf(run, request);
    const plan = ScriptedPlan.parse(reply.context[CONTEXT.bootstrapPlan]);
    expect(fileIn(plan, '/etc/kubernetes/kubeadm.yaml')).toContain(`token: ${MACHINE_TOKEN}\n`);
    expect(reply.context[CONTEXT.nodeJoin]).toEqual({
      contract: 1,
      kind: 'Kubeadm',
      secretRef,
      token: MACHINE_TOKEN,
    });
    expect(MACHINE_TOKEN).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    expect(JSON.stringify(reply.conditions)).not.toContain(MACHINE_TOKEN);
    expect(reply.resources.size).toBe(0);
    await expectIdempotent(run, request);
    await expectNeverSmaller(run, request);
  });

  test('is passed on to provider-node by the name of its Secret, as long as the machine exists', async () => {
    const stored = payload({ token: MACHINE_TOKEN, value: 'fake' });
    expect(await joinsBy('kubeadm', stored)).toEqual({
      [CONTEXT.nodeJoin]: { contract: 1, kind: 'Kubeadm', secretRef },
    });
    expect(await joinsBy('k0s', stored)).toEqual({ [CONTEXT.nodeJoin]: { contract: 1, kind: 'K0sWorker', secretRef } });
  });

  test('is not handed on if the stored first-boot data has no token', async () => {
    for (const provider of ['kubeadm', 'k0s', 'k3s', 'talos'])
      expect(await joinsBy(provider, payload({ value: 'fake' }))).toEqual({});
  });

  test('of the machine that starts a cluster is short-lived there', async () => {
    const reply = await replyOf(run, machineRequest(first, machineOf('init')));
    const plan = ScriptedPlan.parse(reply.context[CONTEXT.bootstrapPlan]);
    const documents = parseAllDocuments(fileIn(plan, '/etc/kubernetes/kubeadm.yaml') ?? '');
    const init = documents.map((one) => one.toJS() as JsonObject).find(({ kind }) => kind === 'InitConfiguration');
    expect(init?.['bootstrapTokens']).toMatchObject([{ token: MACHINE_TOKEN, ttl: '15m0s' }]);
  });
});
