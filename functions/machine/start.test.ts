import { describe, expect, test } from 'vitest';
import { at, type JsonObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { after, aMachine, answer, condition, CONTROL_PLANE, lived, WORLD } from './machine.fixture.ts';

const SECRET = { name: 'prod-talosconfig', key: 'talosconfig' };
const NODE_START: JsonObject = { contract: 1, kind: 'Talos', secretRef: SECRET };
const START = { kind: 'Talos', secretRef: SECRET, addresses: ['10.0.64.7'] };

const withStart = (request: Request, start: JsonObject = NODE_START): Request => ({
  ...request,
  context: { ...request.context, [CONTEXT.nodeStart]: start },
});
const startIn = async (request: Request) =>
  at((await answer(request)).resources.get('node')?.resource, 'spec', 'start');

describe('a machine that has to receive a call to start its cluster', async () => {
  const request = await lived(WORLD.running, { machine: aMachine(CONTROL_PLANE) });

  test('has the call on its WorkloadNode, with the addresses that the cloud reported', async () => {
    expect(await startIn(withStart(request))).toEqual(START);
    expect(await startIn(request), 'any other machine').toBeUndefined();
  });

  test('keeps the call, even if the step that asked for it is gone', async () => {
    const next = after(withStart(request), await answer(withStart(request)), WORLD.running);
    const { [CONTEXT.nodeStart]: _gone, ...context } = next.context;
    expect(await startIn({ ...next, context })).toEqual(START);
  });

  test('reports what it waits for with the message of its WorkloadNode', async () => {
    const next = after(withStart(request), await answer(withStart(request)), WORLD.running);
    const message = 'waiting for the Talos API at 10.0.64.7 to accept the call that starts the cluster';
    const node = next.observed.resources.get('node')!;
    const conditions = [
      { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
      { type: 'Ready', status: 'False', reason: 'WaitingForStart', message },
    ];
    const waiting = { ...node, resource: { ...node.resource, status: { conditions } } };
    const resources = new Map([...next.observed.resources, ['node', waiting] as const]);
    const reply = await answer({ ...next, observed: { ...next.observed, resources } });
    expect(condition(reply, 'NodeHealthy')).toMatchObject({ status: 'Unknown', reason: 'WaitingForNode' });
    expect(condition(reply, 'NodeHealthy')?.message).toContain(message);
  });

  test('is refused when the call does not match the contract', async () => {
    await expect(answer(withStart(request, { ...NODE_START, kind: 'Telephone' }))).rejects.toMatchObject({
      code: 'BrokenContract',
    });
  });
});
