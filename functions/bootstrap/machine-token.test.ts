/** The token of one machine: when it is created, what contains it, and what provider-node is told about it. */
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { aBootstrappedCluster, MACHINE_TOKEN, machineOf, machineRequest } from '../../test/support/first-boot.ts';
import { expectIdempotent, expectNeverSmaller, replyOf } from '../../test/support/function-laws.ts';
import { aRequest } from '../../test/support/request.ts';
import { run } from './fn.ts';
import { fileIn } from './plans.fixture.ts';

const made = await aBootstrappedCluster();
const first = await aBootstrappedCluster({ initialized: false });
const NAME = 'prod-worker-0-aaaaa-join-token';

function secret(name: string, data: Readonly<Record<string, string>>, labels: Record<string, string> = {}): KubeObject {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const);
  const metadata = { name, namespace: 'team-a', labels };
  return { apiVersion: 'v1', kind: 'Secret', metadata, data: Object.fromEntries(encoded) };
}

const PAYLOAD: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'prod-worker-0-aaaaa-payload' } };
const TOKEN = secret(NAME, { token: MACHINE_TOKEN }, { 'slipway.dev/cluster': 'prod' });

/** The request of a worker, with these objects observed and these found under the name of its token. */
function workerRequest(observed: Readonly<Record<string, KubeObject>>, found?: readonly KubeObject[]): Request {
  const { required, ...request } = machineRequest(made, machineOf('worker'));
  const others = [...required].filter(([name]) => name !== 'join-token');
  return {
    ...aRequest({ composite: request.observed.composite, observed }),
    required: new Map([...others, ...(found === undefined ? [] : [['join-token', found] as const])]),
  };
}

const waiting = async (request: Request) =>
  (await replyOf(run, request)).conditions.find(({ type }) => type === 'BootstrapConfigReady')?.message;

describe('the token of a machine', () => {
  test('is created once it is known that there is none, and nothing else happens in that call', async () => {
    expect([...(await replyOf(run, workerRequest({}))).resources.keys()]).toEqual([]);
    const reply = await replyOf(run, workerRequest({}, []));
    const { resource, ready } = reply.resources.get('join-token')!;
    expect(ready).toBe('False');
    expect(resource).toMatchObject({
      kind: 'Secret',
      metadata: { name: NAME, namespace: 'team-a', labels: { 'slipway.dev/cluster': 'prod' } },
      type: 'cluster.x-k8s.io/secret',
      immutable: true,
    });
    const token = Buffer.from(stringAt(resource, 'data', 'token') ?? '', 'base64').toString();
    expect(token).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    expect(reply.context).toEqual({});
    expect(JSON.stringify(reply.conditions)).not.toContain(token);
    expect(await waiting(workerRequest({}, []))).toBe('waiting for the join token of the machine to be stored');
  });

  test('is in its first-boot data once it is stored, and is kept as it is', async () => {
    for (const request of [workerRequest({ 'join-token': TOKEN }), workerRequest({}, [TOKEN])]) {
      const reply = await replyOf(run, request);
      const plan = ScriptedPlan.parse(reply.context[CONTEXT.bootstrapPlan]);
      expect(fileIn(plan, '/etc/kubernetes/kubeadm.yaml')).toContain(`token: ${MACHINE_TOKEN}\n`);
      expect(reply.resources.get('join-token')).toMatchObject({ ready: 'True', resource: { data: TOKEN['data'] } });
      await expectIdempotent(run, request);
      await expectNeverSmaller(run, request);
    }
  });

  test('is passed on to provider-node by the name of its Secret, as long as the machine exists', async () => {
    const reply = await replyOf(run, workerRequest({ 'join-token': TOKEN, payload: PAYLOAD }));
    expect(reply.context).toEqual({
      [CONTEXT.nodeJoin]: { contract: 1, kind: 'Kubeadm', secretRef: { name: NAME, key: 'token' } },
    });
    expect(reply.resources.get('join-token')?.resource['data']).toEqual(TOKEN['data']);
  });

  test('of the machine that starts a cluster is short-lived there', async () => {
    const reply = await replyOf(run, machineRequest(first, machineOf('init')));
    const plan = ScriptedPlan.parse(reply.context[CONTEXT.bootstrapPlan]);
    const documents = parseAllDocuments(fileIn(plan, '/etc/kubernetes/kubeadm.yaml') ?? '');
    const init = documents.map((one) => one.toJS() as JsonObject).find(({ kind }) => kind === 'InitConfiguration');
    expect(init?.['bootstrapTokens']).toMatchObject([{ token: MACHINE_TOKEN, ttl: '15m0s' }]);
  });

  test.for([
    { name: 'another text', found: secret(NAME, { token: 'HUNTER2' }), why: 'its token is not six characters' },
    { name: 'no token', found: secret(NAME, { value: 'HUNTER2' }), why: 'its token is not six characters' },
    { name: 'a second line', found: secret(NAME, { token: `${MACHINE_TOKEN}\nHUNTER2` }), why: 'its token is not' },
    {
      name: 'the token of another cluster',
      found: secret(NAME, { token: MACHINE_TOKEN }, { 'slipway.dev/cluster': 'other' }),
      why: 'its label slipway.dev/cluster says that it belongs to Cluster "other"',
    },
  ])('is refused where its Secret has $name, and not quoted', async ({ found, why }) => {
    for (const request of [workerRequest({}, [found]), workerRequest({ 'join-token': found })]) {
      const refusal = (await replyOf(run, request).catch((thrown: unknown) => thrown)) as Error;
      expect(refusal.message).toContain(`cannot use Secret "team-a/${NAME}": ${why}`);
      expect(refusal.message).not.toMatch(/HUNTER2|0123456789/);
    }
  });
});

describe('a machine that an earlier release booted with the token of the cluster', () => {
  const machine = (provider: string) => machineOf('worker', {}, {}, provider);
  const asked = (provider: string, found?: readonly KubeObject[]) =>
    replyOf(run, {
      ...aRequest({ composite: machine(provider), observed: { payload: PAYLOAD } }),
      required: new Map(found === undefined ? [] : [['cluster-token', found]]),
    });

  test('gets no other, and provider-node lets that one expire', async () => {
    const reply = await asked('kubeadm', [secret('prod-token', { token: MACHINE_TOKEN })]);
    expect(reply.requirements.get('cluster-token')).toMatchObject({ matchName: 'prod-token' });
    expect(reply.resources.size).toBe(0);
    expect(reply.context).toEqual({
      [CONTEXT.nodeJoin]: {
        contract: 1,
        kind: 'Kubeadm',
        secretRef: { name: 'prod-token', key: 'token' },
        shared: true,
      },
    });
  });

  test('of a cluster without such a token joins by nothing', async () => {
    for (const found of [undefined, []]) expect((await asked('kubeadm', found)).context).toEqual({});
  });

  test.for(['k0s', 'k3s', 'talos'])('of %s is not asked about', async (provider) => {
    const reply = await asked(provider);
    expect(reply.context).toEqual({});
    expect(reply.requirements.size).toBe(0);
  });
});
