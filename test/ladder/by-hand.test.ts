/**
 * Machines of a whole cluster on the simulated cloud that a user edits by hand: none is replaced, stopped or drained
 * because of it.
 */
import { beforeAll, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { type Engine } from '#simulator/engine.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { exampleEngine } from '../support/example.ts';

let engine: Engine;
const list = (kind: string, apiVersion = API_VERSION): readonly KubeObject[] => engine.list({ apiVersion, kind });
const named = (kind: string, name: string): KubeObject => list(kind).find(({ metadata }) => metadata?.name === name)!;
const names = (): readonly string[] => list('Machine').map(({ metadata }) => metadata?.name ?? '');
const types = (): readonly unknown[] =>
  list('Instance', 'ec2.aws.m.upbound.io/v1beta1').map((one) => [
    at(one, 'spec', 'forProvider', 'instanceType'),
    at(one, 'status', 'atProvider', 'instanceType'),
    at(one, 'status', 'atProvider', 'instanceState'),
  ]);
/** As `kubectl apply --server-side` of these fields alone. */
const edit = (name: string, machine: JsonObject): KubeObject =>
  engine.apply({
    apiVersion: API_VERSION,
    kind: 'Machine',
    metadata: { name, namespace: 'team-a' },
    spec: { machine },
  });

beforeAll(async () => {
  engine = exampleEngine();
  await engine.runUntil(() => allReady(engine), { limitSeconds: 7200 });
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + 120 });
});

test('an edited size is reverted, and no virtual machine is stopped for it', async () => {
  const [before, was] = [names(), types()];
  const victim = before.find((name) => name.startsWith('prod-general-'))!;
  const kept = at(named('Machine', victim), 'spec', 'machine');
  edit(victim, { class: 'standard-16' });
  expect(at(named('Machine', victim), 'spec', 'machine', 'class')).toBe('standard-16');
  const seen: unknown[] = [];
  const stop = engine.subscribe(() => void seen.push(types()));
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + 900 });
  stop();
  expect(at(named('Machine', victim), 'spec', 'machine')).toEqual(kept);
  expect(at(named('Machine', victim), 'spec', 'update')).toBeUndefined();
  expect(names()).toEqual(before);
  for (const one of seen) expect(one).toEqual(was);
});

test('an image that is added to a Machine directly is held until it is removed, and that is reported', async () => {
  const before = names();
  const victim = before.find((name) => name.startsWith('prod-general-'))!;
  const upToDate = () => conditionOf(named('NodePool', 'prod-general'), 'MachinesUpToDate');
  edit(victim, { image: 'ami-0123456789abcdef0' });
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + 900 });
  expect(upToDate()).toMatchObject({ status: 'False', reason: 'Held' });
  expect(upToDate()?.message).toBe(
    `${victim} (spec.machine.image): spec.machine.image was added to the Machine directly and belongs to another field manager: remove it from the Machine, or delete the Machine to have it replaced`,
  );
  expect(at(named('NodePool', 'prod-general'), 'status', 'phase')).toBe('Held');
  edit(victim, {});
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + 900 });
  expect(at(named('Machine', victim), 'spec', 'machine', 'image')).toBeUndefined();
  expect(upToDate()).toMatchObject({ status: 'True' });
  expect(names()).toEqual(before);
});
