/** First-boot data that is not in user data: a machine reads it if its role allows that, and deletes it. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { conditionText } from '#simulator/fake-functions.fixture.ts';
import { after, firstBootFailures } from '../../../test/support/booted-machines.ts';

const NAMED = { namespace: 'ns', name: 'm' };
const NAME = 'slipway/team-a/prod/node/m';
const ALLOWED = ['secretsmanager:GetSecretValue', 'secretsmanager:DeleteSecret'];
const MANAGER = 'secretsmanager.aws.m.upbound.io/v1beta1';

function managed(service: string, kind: string, forProvider: JsonObject, spec: JsonObject = {}): KubeObject {
  return {
    apiVersion: `${service}.aws.m.upbound.io/v1beta1`,
    kind,
    metadata: { name: 'm', namespace: 'ns' },
    spec: { forProvider: { region: 'eu-west-1', ...forProvider }, ...spec },
  };
}

const policy = (Action: readonly string[], Resource: string, Condition?: JsonObject): string =>
  JSON.stringify({ Statement: [{ Effect: 'Allow', Action, Resource, Condition }] });

const identity = (text: string): readonly KubeObject[] => [
  managed('iam', 'Role', {}),
  managed('iam', 'RolePolicy', { roleRef: { name: 'm' }, policy: text }),
  managed('iam', 'InstanceProfile', { roleRef: { name: 'm' } }),
];

const payload = (value: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'payload', namespace: 'ns' },
  stringData: { value },
});

const secret: readonly KubeObject[] = [
  managed('secretsmanager', 'Secret', { name: NAME }),
  managed('secretsmanager', 'SecretVersion', {
    secretIdRef: { name: 'm' },
    secretStringSecretRef: { name: 'payload', key: 'value' },
  }),
];

const stub = Buffer.from(`#cloud-boothook\n#!/bin/sh\nWHERE = ${JSON.stringify({ secret: NAME })}\n`).toString(
  'base64',
);
const machine = managed(
  'ec2',
  'Instance',
  { ami: 'a', instanceType: 'm6i.large', iamInstanceProfile: 'm' },
  { initProvider: { userDataBase64: stub } },
);

const EVERYTHING = [...identity(policy(ALLOWED, `arn:*:secretsmanager:eu-west-1:*:secret:slipway/team-a/prod/node/*`))];
const TEXT = '#cloud-config\nhostname: fake\n';
const DATA = payload(TEXT);

/** The data was read: what follows is about its content, not about how it was fetched. */
const READ = /^no file of a bootstrap provider is among the files/;

test.for([
  { name: 'text', data: DATA, objects: secret },
  {
    name: 'packed data',
    data: payload(gzipSync(TEXT).toString('base64')),
    objects: [
      secret[0]!,
      managed('secretsmanager', 'SecretVersion', {
        secretIdRef: { name: 'm' },
        secretBinarySecretRef: { name: 'payload', key: 'value' },
      }),
    ],
  },
])('a machine whose role may read its secret boots from $name', async ({ data, objects }) => {
  const engine = await after(120, ...EVERYTHING, data, ...objects, machine);
  expect(firstBootFailures(engine)).toEqual([expect.stringMatching(READ)]);
});

test.for([
  {
    name: 'has no secret',
    objects: EVERYTHING,
    want: "api error ResourceNotFoundException: Secrets Manager can't find the specified secret.",
  },
  {
    name: 'has a role that may not read it',
    objects: [...identity(policy(ALLOWED, 'arn:*:secretsmanager:*:*:secret:slipway/team-a/other/*')), ...secret],
    want: 'api error AccessDeniedException: m is not authorized to perform: secretsmanager:GetSecretValue on resource: arn:aws:secretsmanager:',
  },
  { name: 'has no role', objects: secret, want: 'the instance has no role' },
])('a machine that $name waits, and then its log says why it never became a node', async ({ objects, want }) => {
  const waiting = await after(300, ...objects, DATA, machine);
  expect(firstBootFailures(waiting)).toEqual([]);
  await waiting.runUntil(() => false, { limitSeconds: 1200 });
  expect(firstBootFailures(waiting)).toEqual([
    expect.stringContaining(`cannot fetch first-boot data ${NAME}: ${want}`),
  ]);
});

describe('a machine whose role may read the secret of its own instance only', () => {
  const owned = { StringEquals: { 'aws:ResourceTag/slipway.dev/instance': '${ec2:SourceInstanceARN}' } };
  const identities = identity(
    policy(ALLOWED, 'arn:*:secretsmanager:eu-west-1:*:secret:slipway/team-a/prod/node/*', owned),
  );
  const tagged = (arn: string): KubeObject =>
    managed('secretsmanager', 'Secret', { name: NAME, tags: { 'slipway.dev/instance': arn } });

  test('waits for the tag of its instance, and then boots', async () => {
    const engine = await after(200, ...identities, DATA, ...secret, machine);
    expect(firstBootFailures(engine)).toEqual([]);
    const { status } = engine.get({ apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance', ...NAMED })!;
    engine.apply(tagged(stringAt(status, 'atProvider', 'arn')!));
    await engine.runUntil(() => false, { limitSeconds: 400 });
    expect(firstBootFailures(engine)).toEqual([expect.stringMatching(READ)]);
  });

  test('does not get one with the tag of a sibling', async () => {
    const sibling = `arn:aws:ec2:eu-west-1:123456789012:instance/i-00000000000000000`;
    const engine = await after(1500, ...identities, DATA, tagged(sibling), secret[1]!, machine);
    expect(firstBootFailures(engine)).toEqual([expect.stringContaining('AccessDeniedException')]);
  });
});

test('a machine waits for a secret that is created late', async () => {
  const engine = await after(200, ...EVERYTHING, DATA, machine);
  for (const object of secret) engine.apply(object);
  await engine.runUntil(() => false, { limitSeconds: 400 });
  expect(firstBootFailures(engine)).toEqual([expect.stringMatching(READ)]);
});

test('the provider creates a secret again that a machine deleted, but its value is lost', async () => {
  const engine = await after(1200, ...EVERYTHING, DATA, ...secret, machine);
  const ref = { apiVersion: MANAGER, namespace: 'ns', name: 'm' };
  expect(engine.snapshot().counters.cloudCreated['Secret']).toBe(2);
  expect(engine.snapshot().counters.cloudCreated['SecretVersion']).toBe(1);
  expect(conditionText(engine.get({ ...ref, kind: 'SecretVersion' }), 'Synced')).toMatch(/ResourceNotFoundException/);
});

test('what a machine deleted that read it is no alarm on the time line, and comes back in plain words', async () => {
  const engine = await after(1200, ...EVERYTHING, DATA, ...secret, machine);
  const said = engine.snapshot().timeline.filter(({ ref }) => ref.kind !== 'Instance');
  expect(said.map(({ ref, text }) => `${ref.kind}: ${text}`)).toEqual([
    expect.stringMatching(/^Secret: made again as secret-\w+: the machine that read and deleted it is no node yet$/),
  ]);
});

test('what somebody else deleted is said as it is', async () => {
  const engine = await after(60, DATA, ...secret);
  engine.terminate({ apiVersion: MANAGER, kind: 'Secret', namespace: 'ns', name: 'm' });
  await engine.runUntil(() => false, { limitSeconds: 600 });
  expect(engine.snapshot().timeline.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^came back as secret-\w+$/),
  );
});

test('a value waits for its Secret, and is never shown', async () => {
  const engine = await after(30, ...secret);
  const ref = { apiVersion: MANAGER, kind: 'SecretVersion', namespace: 'ns', name: 'm' };
  expect(conditionText(engine.get(ref), 'Synced')).toMatch(/Secret "ns\/payload" has no key "value"$/);
  engine.apply(DATA);
  await engine.runUntil(() => false, { limitSeconds: 120 });
  expect(conditionText(engine.get(ref), 'Ready')).toBe('True Available');
  expect(JSON.stringify(engine.get(ref))).not.toContain('hostname');
  expect(stringAt(engine.get(ref), 'status', 'atProvider', 'secretString')).toBeUndefined();
});

test('refuses a value that is larger than a secret can be', async () => {
  const engine = await after(30, payload('x'.repeat(65_537)), ...secret);
  const ref = { apiVersion: MANAGER, kind: 'SecretVersion', namespace: 'ns', name: 'm' };
  expect(conditionText(engine.get(ref), 'Synced')).toMatch(/length less than or equal to 65536/);
});
