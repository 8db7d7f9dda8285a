/** A machine whose first-boot data waits for a token that provider-node asks its cluster for. */
import { expect, test } from 'vitest';
import { at, type JsonObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { after, aMachine, answer, aPayload, call, keys, situation, WORLD } from './machine.fixture.ts';

const JOIN: JsonObject = {
  kind: 'CanonicalKubernetesWorker',
  secretRef: { name: 'general-0-join-token', key: 'token' },
  authSecretRef: { name: 'prod-capi-auth-token' },
  ttl: '1h',
  shared: false,
};
const ASKED = { [CONTEXT.nodeJoin]: { contract: 1, ...JOIN } };

test('its WorkloadNode is there before it, says how to join, and is all there is', async () => {
  const reply = await call({ context: ASKED });
  expect(keys(reply)).toEqual(['node']);
  expect(at(reply.resources.get('node')?.resource, 'spec', 'join')).toEqual(JOIN);
  expect(at(reply.resources.get('node')?.resource, 'spec', 'node')).toEqual({ name: aMachine().metadata?.name });
});

test('the Usage that drains it first follows once there is a machine to protect', async () => {
  const waiting = situation({ context: ASKED });
  const first = after(waiting, await answer(waiting), WORLD.untouched);
  const booted = { ...first, context: { ...aPayload(), ...ASKED } };
  const launching = await answer(booted);
  expect(keys(launching)).toContain('node');
  expect(keys(launching)).not.toContain('drain');
  const launched = await answer(after(booted, launching, WORLD.handedOver));
  const created = await answer(after(booted, launched, WORLD.created));
  expect(keys(created)).toEqual(expect.arrayContaining(['node', 'drain']));
  expect(at(created.resources.get('node')?.resource, 'spec', 'join')).toEqual(JOIN);
});

test('a machine with a token of another kind has none before the cloud gave it an id', async () => {
  const join = { contract: 1, kind: 'Kubeadm', secretRef: { name: 'general-0-join-token', key: 'token' } };
  expect(keys(await call({ context: { [CONTEXT.nodeJoin]: join } }))).toEqual([]);
});

test('nothing is asked for as long as the Cluster has no infrastructure', async () => {
  expect(keys(await call({ context: ASKED, clusters: [] }))).toEqual([]);
});
