/**
 * The gap of decision 4: between the moments when Crossplane reads a pool and when it writes it, a Machine of it is
 * deleted. Functions run in between, so a test that acts there sees what a busy control plane sees.
 */
import { expect, test } from 'vitest';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import type { Engine } from '#simulator/engine.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { installedEngine } from '../support/example.ts';
import { inProcess } from '../support/in-process.ts';
import { aClaim, aPool, CLUSTER, POOL, SHAPE, SMALL } from './stage.ts';

const INSTANCE = { apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' };
const LAST_STEP = 'slipway-function-in-place-update';

interface Scene {
  readonly engine: Engine;
  /** Does something once, after the functions of the pool have decided and before Crossplane writes. */
  readonly between: (action: () => Promise<void>) => Promise<void>;
}

async function aScene(): Promise<Scene> {
  let action: (() => Promise<void>) | undefined;
  let isBusy = false;
  const engine = installedEngine({
    functions: (name) => ({
      run: async (request, options) => {
        // Crossplane reconciles an object once at a time.
        if (isBusy && name === LAST_STEP) throw new Error('the pool is being reconciled');
        const answer = await inProcess(name).run(request, options);
        const now = name === LAST_STEP ? action : undefined;
        if (now === undefined) return answer;
        [action, isBusy] = [undefined, true];
        await now();
        isBusy = false;
        return answer;
      },
    }),
  });
  engine.apply(aClaim('Cluster', CLUSTER.name, { ...SHAPE, controlPlane: { replicas: 1, machine: SMALL } }));
  engine.apply(aPool());
  const ready = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
  if (!ready.reached) throw new Error('cannot begin: the cluster does not become Ready');
  return {
    engine,
    between: async (what) => {
      action = what;
      // Any edit makes Crossplane reconcile the pool.
      engine.apply(aPool({ labels: { team: 'a' } }));
      await engine.runUntil(() => action === undefined && !isBusy, { limitSeconds: engine.seconds + 900 });
    },
  };
}

const refTo = (name: string) => ({ apiVersion: API_VERSION, kind: 'Machine', namespace: POOL.namespace, name });

const goOn = (engine: Engine, seconds: number) =>
  engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });

const machinesOf = (engine: Engine): readonly KubeObject[] =>
  engine
    .list({ apiVersion: API_VERSION, kind: 'Machine' })
    .filter(({ metadata }) => metadata?.labels?.['slipway.dev/nodepool'] === POOL.name);

const nameOf = (object: KubeObject | undefined): string => object?.metadata?.name ?? '';
const uidOf = (object: KubeObject | undefined): string => object?.metadata?.uid ?? '';
const virtualMachines = (engine: Engine): readonly string[] =>
  engine.list(INSTANCE).map((one) => stringAt(one, 'status', 'atProvider', 'id') ?? '');

test('a Machine that is still being deleted when its pool is written stays deleted', async () => {
  const { engine, between } = await aScene();
  const name = nameOf(machinesOf(engine)[0]);
  await between(async () => engine.delete(refTo(name)));
  expect(engine.get(refTo(name))?.metadata?.deletionTimestamp).toBeDefined();
  await goOn(engine, 900);
  expect(engine.get(refTo(name))).toBeUndefined();
  expect(machinesOf(engine)).toHaveLength(2);
});

test('one that is gone by then is created again under its name, and replaced, since its machine goes with the first', async () => {
  const { engine, between } = await aScene();
  const [first] = machinesOf(engine);
  const name = nameOf(first);
  await between(async () => {
    engine.delete(refTo(name));
    while (engine.get(refTo(name)) !== undefined) await engine.step();
  });
  // The limit: an API server that was asked for this very uid would have refused, but Crossplane cannot ask so.
  const again = engine.get(refTo(name));
  expect(again?.metadata?.deletionTimestamp).toBeUndefined();
  expect([uidOf(again), uidOf(first)]).not.toContain('');
  expect(uidOf(again)).not.toBe(uidOf(first));

  await goOn(engine, 1800);
  expect(allReady(engine)).toBe(true);
  expect(engine.get(refTo(name)), 'the deletion is late, and not lost').toBeUndefined();
  expect(machinesOf(engine)).toHaveLength(2);
  expect(virtualMachines(engine)).toHaveLength(3);
  expect(virtualMachines(engine)).not.toContain(stringAt(first, 'status', 'instanceID'));
});

test('whoever does not wait deletes it once more', async () => {
  const { engine, between } = await aScene();
  const name = nameOf(machinesOf(engine)[0]);
  await between(async () => {
    engine.delete(refTo(name));
    while (engine.get(refTo(name)) !== undefined) await engine.step();
  });
  engine.delete(refTo(name));
  await goOn(engine, 900);
  expect(engine.get(refTo(name))).toBeUndefined();
  expect(machinesOf(engine)).toHaveLength(2);
});
