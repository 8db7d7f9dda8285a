/** How often Crossplane calls a pool that has nothing to do, and how soon after an edit of its Cluster. */
import { describe, expect, it } from 'vitest';
import type { Engine } from '#simulator/engine.ts';
import { exampleEngine } from '../support/example.ts';

const SLIPWAY = 'slipway.dev/v1alpha1';
const HOUR = 3600;
const POOLS = ['prod-control-plane', 'prod-general', 'prod-memory'] as const;

/** An engine whose pools are settled, and the seconds at which the pipeline of each ran. */
async function settled(crossplane: '2.3' | '2.4'): Promise<{ engine: Engine; runs: Runs }> {
  const engine = exampleEngine({ crossplane });
  const runs: Runs = new Map(POOLS.map((name) => [name, []]));
  engine.subscribe((happening) => {
    if (happening.type === 'call' && happening.step === 'nodepool' && happening.round === 1)
      runs.get(happening.xr.name)?.push(happening.at);
  });
  await engine.runUntil(() => engine.snapshot().ready, { limitSeconds: HOUR });
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + 900 });
  return { engine, runs };
}

type Runs = Map<string, number[]>;

const since = (runs: Runs, second: number): readonly (readonly number[])[] =>
  POOLS.map((pool) => (runs.get(pool) ?? []).filter((at) => at >= second));

describe.each([
  { crossplane: '2.4', claimed: 3 },
  { crossplane: '2.3', claimed: 665 },
] as const)('Crossplane $crossplane', async ({ crossplane, claimed }) => {
  const { engine, runs } = await settled(crossplane);

  it('calls a settled pool each ten minutes, a claimed one as one that its Cluster composes', async () => {
    const begin = engine.seconds;
    expect(engine.snapshot().ready).toBe(true);
    await engine.runUntil(() => false, { limitSeconds: begin + HOUR });
    const counted = since(runs, begin).map(({ length }) => length);
    process.stdout.write(`calls of settled pools in an hour: ${counted.join(', ')}\n`);
    for (const count of counted) expect(count).toBeLessThanOrEqual(7);
  });

  it(`calls a control plane at once after an edit of its Cluster, and claimed pools within ${claimed} seconds`, async () => {
    const [cluster] = engine.list({ apiVersion: SLIPWAY, kind: 'Cluster' });
    const { name = '', namespace = '' } = cluster?.metadata ?? {};
    const { crossplane: _crossplane, ...before } = cluster!.spec!;
    const spec = { ...before, provisioning: { ...(before['provisioning'] as object), packages: ['jq'] } };
    const edited = engine.seconds;
    engine.apply({ apiVersion: SLIPWAY, kind: 'Cluster', metadata: { name, namespace }, spec });
    await engine.runUntil(() => false, { limitSeconds: edited + claimed });
    const [controlPlane = Infinity, ...workers] = since(runs, edited).map(([first = Infinity]) => first - edited);
    expect(controlPlane).toBeLessThanOrEqual(3);
    for (const after of workers) expect(after).toBeLessThanOrEqual(claimed);
  });
});
