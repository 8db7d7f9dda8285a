import { expect, test } from 'vitest';
import { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { INFRASTRUCTURE } from '../../test/support/claims.ts';
import { aBootstrappedCluster, machineOf, machineRequest, type MACHINES } from '../../test/support/first-boot.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';

const UNIT = 'slipway-api-address.service';

async function planOf(kind: keyof typeof MACHINES, host: string, apiAccess: JsonObject): Promise<ScriptedPlan> {
  const infrastructure = { ...INFRASTRUCTURE, apiAccess };
  const { cluster, secrets } = await aBootstrappedCluster({ initialized: kind !== 'init', infrastructure });
  const status = { ...cluster.status, controlPlaneEndpoint: { host, port: 6443 } };
  const reply = await replyOf(run, machineRequest({ cluster: { ...cluster, status }, secrets }, machineOf(kind)));
  return ScriptedPlan.parse(reply.context[CONTEXT.bootstrapPlan]);
}

test('the machine that starts a cluster has the address of its API before', async () => {
  const { units, commands } = await planOf('init', '10.0.0.9', { localAddress: true });
  expect(units).toMatchObject([{ name: UNIT, enabled: true }]);
  expect(units[0]?.contents).toContain('ip route replace local 10.0.0.9/32 dev lo');
  expect(commands.post).toEqual([]);
});

test('a control plane that joins has it once it has joined: until then others answer there', async () => {
  const { units, commands } = await planOf('control-plane', '10.0.0.9', { localAddress: true });
  expect(units).toMatchObject([{ name: UNIT, enabled: false }]);
  expect(commands.post).toEqual([`systemctl enable --now ${UNIT}`]);
});

test.for([
  ['a worker', 'worker', '10.0.0.9', { localAddress: true }],
  ['a machine whose load balancer leads it back to itself', 'init', '10.0.0.9', {}],
  ['a machine whose API has a name', 'init', 'api.example.com', { localAddress: true }],
] as const)('%s has none', async ([, kind, host, apiAccess]) => {
  const { units, commands } = await planOf(kind, host, apiAccess);
  expect([...units, ...commands.post]).toEqual([]);
});
