import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { instance, machineOf, reply } from './machine.fixture.ts';

const SPEC = { machine: { class: 'standard-4' } };
const SYNCED: JsonObject = { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' };
const failed = (message: string): JsonObject => ({
  type: 'Synced',
  status: 'False',
  reason: 'ReconcileError',
  message,
});
const NO_ROOM = failed('create failed: async create failed: Status: "ZonalAllocationFailed"');

/** Why a machine is lost whose provider begins to create it again. */
async function lost(synced: JsonObject, nodeIsUp: boolean): Promise<string | undefined> {
  const status: JsonObject = {
    atProvider: { virtualMachineId: 'number-1' },
    conditions: [{ type: 'Ready', status: 'False', reason: 'Creating' }, synced],
  };
  const { metadata } = machineOf(SPEC);
  const node: KubeObject = {
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'WorkloadNode',
    metadata: { name: metadata?.name ?? '', namespace: 'team-a' },
    spec: { taints: [] },
    status: {
      nodeRef: { name: metadata?.name ?? '' },
      conditions: [{ type: 'Ready', status: nodeIsUp ? 'True' : 'False', reason: 'Any' }, SYNCED],
    },
  };
  const machine = machineOf(SPEC, { instanceID: 'number-1', nodeRef: { name: metadata?.name ?? '' } });
  const { conditions } = await reply(machine, { instance: { ...(await instance(SPEC)), status }, node });
  return conditions.find(({ reason }) => reason === 'MachineLost')?.message;
}

describe('a machine that its provider begins to create again', () => {
  test('is lost at once when its node is not ready either', async () => {
    const gone = 'its provider does not find machine number-1 and makes another one';
    expect(await lost(SYNCED, false)).toBe(gone);
    expect(await lost(NO_ROOM, false)).toBe(`${gone}: ${NO_ROOM['message'] as string}`);
  });

  test.for([SYNCED, NO_ROOM])('is not lost while its node is ready: %o', async (synced) => {
    expect(await lost(synced, true)).toBeUndefined();
  });

  test.for([
    'observe failed: unexpected status 403 (403 Forbidden) with error: AuthorizationFailed',
    'create failed: async create failed: unexpected status 403 (403 Forbidden) with error: AuthorizationFailed: no',
    'create failed: async create failed: building account: could not acquire access token: AADSTS7000222: expired',
  ])('is not lost when its provider could not look: %s', async (message) => {
    expect(await lost(failed(message), false)).toBeUndefined();
  });
});
