/** Functions and provider-node have releases of their own: each works beside another release of the other one. */
import { describe, expect, test } from 'vitest';
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { NODE } from '../../functions/machine/node.ts';
import { paperPlayer } from '../provider-node/paper-player.ts';
import { ETCD, READY } from '../provider-node/scene.ts';
import { said } from '../provider-node/said.ts';
import { replyOf } from '../support/function-laws.ts';
import { expectNothingLost } from './judge.ts';
import { machineStep } from './subjects.ts';

/** What another release of provider-node reports of the machine. */
function reporting(request: Request, report: (status: JsonObject) => JsonObject): Request {
  const { observed } = request;
  const node = observed.resources.get(NODE)!;
  const resource: KubeObject = { ...node.resource, status: report(node.resource.status ?? {}) };
  const resources = new Map([...observed.resources, [NODE, { ...node, resource }] as const]);
  return { ...request, observed: { ...observed, resources } };
}

const REPORTS: readonly { readonly what: string; readonly report: (status: JsonObject) => JsonObject }[] = [
  {
    what: 'a later one, with conditions, reasons, fields and phases that nobody here knows',
    report: (status) => ({
      ...status,
      next: { added: true },
      nodeRef: { ...(status['nodeRef'] as JsonObject), next: 1 },
      update: { id: 'another', phase: 'Rebooting', next: true },
      conditions: [
        ...(status['conditions'] as readonly JsonObject[]),
        { type: 'RebootRequired', status: 'True', reason: 'KernelUpdated', next: true },
      ],
    }),
  },
  {
    what: 'the first one, which knew two conditions and the name of the Node',
    report: ({ nodeRef, conditions }) => ({
      nodeRef: nodeRef ?? null,
      conditions: (conditions as readonly JsonObject[])
        .filter(({ type }) => type === 'Ready' || type === 'Synced')
        .map(({ type, status, reason }) => ({ type: type ?? '', status: status ?? '', reason: reason ?? '' })),
    }),
  },
];

test.for(REPORTS)('the machine step beside a provider-node that is $what', async ({ report }) => {
  const { run, request, reply } = await machineStep();
  const given = reporting(request, report);
  const answered = await replyOf(run, given);
  expectNothingLost(given, answered, reply);
  expect([...answered.resources.keys()].toSorted()).toEqual([...reply.resources.keys()].toSorted());
  const healthy = answered.conditions.find(({ type }) => type === 'NodeHealthy');
  expect(healthy).toMatchObject({ status: 'True', reason: 'NodeHealthy' });
});

describe('provider-node beside the first functions', () => {
  /** All that they wrote. */
  const FIRST = { labels: { a: 'b' }, taints: [], drain: { timeout: '10m' } };

  test('serves a Node', async () => {
    const stage = await paperPlayer().begin({ node: READY, spec: FIRST });
    await stage.pass(5);
    expect(said(stage, 'Ready')).toBe('True Available');
    expect(stage.node()?.metadata?.labels).toMatchObject({ a: 'b' });
    stage.delete();
    await stage.pass(60);
    expect(stage.object()).toBeUndefined();
  });

  test('takes a control plane out of etcd by the field that they had', async () => {
    const stage = await paperPlayer().begin({ node: READY, etcd: ETCD, spec: { ...FIRST, etcdMember: true } });
    await stage.pass(5);
    stage.delete();
    await stage.pass(60);
    expect(stage.events).toEqual(['cordoned', 'left etcd', 'Node deleted', 'object gone']);
  });

  test('does not withdraw a token that they never told of', async () => {
    const stage = await paperPlayer().begin({ spec: FIRST, oldToken: 'abcdef.0123456789abcdef' });
    stage.register(READY);
    await stage.pass(60);
    expect(stage.tokens()).toEqual({ abcdef: Infinity });
    expect(at(stage.object(), 'status', 'join')).toBeUndefined();
  });
});
