import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { at, type JsonObject, stringAt } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Observed } from '#lib/fn/request.ts';
import { factsFor } from '../../../test/support/cluster-facts.ts';
import { crdsAvailable, validateManaged } from '../../../test/support/crds.ts';
import { isIgnitionStub } from '#lib/cloud/ignition-stub.ts';
import {
  ARN,
  aCluster,
  aMachine,
  anInfrastructure,
  anInput,
  answer,
  aPayload,
  call,
  condition,
  CONTROL_PLANE,
  HANDED_OVER,
  keys,
  lived,
  NAME,
  noise,
  objects,
  play,
  WORLD,
} from '../../../functions/machine/machine.fixture.ts';

const SECRET = '#cloud-config\nhostname: fake-secret-of-a-test\n';
const CARRIERS = ['first-boot-secret', 'first-boot-data'];

const resource = (reply: ReplyData | undefined, key: string) => reply?.resources.get(key)?.resource;
const userData = (reply: ReplyData | undefined): string =>
  Buffer.from(
    stringAt(resource(reply, 'instance'), 'spec', 'initProvider', 'userDataBase64') ?? '',
    'base64',
  ).toString();

describe('a machine boots without a secret in its user data', async () => {
  const worlds = [WORLD.untouched, WORLD.handedOver, WORLD.created, WORLD.running, WORLD.registered, WORLD.joined];
  const { replies } = await play({ input: HANDED_OVER, context: aPayload(SECRET) }, ...worlds);
  const [first, waiting, made, created, running, registered, joined] = replies;

  test('its data goes to Secrets Manager first, and a condition reports that', () => {
    expect(keys(first!)).toEqual(['payload', ...CARRIERS]);
    expect(keys(waiting!)).toEqual(['payload', ...CARRIERS]);
    expect(condition(waiting!, 'InfrastructureReady')).toEqual({
      type: 'InfrastructureReady',
      status: 'False',
      reason: 'Waiting',
      message: 'first-boot data is not in Secrets Manager yet',
    });
    expect(waiting?.status['payload']).toMatchObject({ bytes: SECRET.length });
  });

  test('the secret has the name its role may read, and its value is a reference', () => {
    expect(resource(first, 'first-boot-secret')?.spec).toMatchObject({
      forProvider: { region: 'eu-west-1', name: `slipway/team-a/prod/node/${NAME}`, recoveryWindowInDays: 0 },
    });
    expect(at(resource(first, 'first-boot-data'), 'spec', 'forProvider')).toEqual({
      region: 'eu-west-1',
      secretIdRef: { name: `${NAME}-first-boot` },
      secretStringSecretRef: { name: `${NAME}-payload`, key: 'value' },
    });
  });

  test('then the instance is created, with user data that only says where the secret is', () => {
    expect(keys(made!)).toEqual(['payload', ...CARRIERS, 'instance']);
    expect(userData(made)).toContain(`"secret":"slipway/team-a/prod/node/${NAME}"`);
    expect(userData(made)).not.toContain('fake-secret');
  });

  test('nobody may read the secret until the instance exists, and then only the instance may', () => {
    const readers = [first, waiting, made, created, running].map((reply) =>
      at(resource(reply, 'first-boot-secret'), 'spec', 'forProvider', 'tags', 'slipway.dev/instance'),
    );
    expect(readers).toEqual([undefined, undefined, undefined, ARN, ARN]);
  });

  test('what the machine deletes is not made again: the content once it is there, the secret once it has the tag', async () => {
    const before = await lived(WORLD.running, { input: HANDED_OVER, context: aPayload(SECRET) });
    const policies = async (tags: JsonObject) => {
      const stored = { annotations: { 'crossplane.io/external-name': 'fake' } };
      const made = CARRIERS.map((key) => {
        const { resource: seen, ...rest } = before.observed.resources.get(key)!;
        const status = { ...seen.status, atProvider: { id: 'fake', tags } };
        return [key, { ...rest, resource: { ...seen, metadata: { ...seen.metadata, ...stored }, status } }] as const;
      });
      const resources = new Map([...before.observed.resources, ...made]);
      const reply = await answer({ ...before, observed: { ...before.observed, resources } });
      return CARRIERS.map((key) => at(resource(reply, key), 'spec', 'managementPolicies'));
    };
    const once = ['Observe', 'Delete'];
    expect(await policies({})).toEqual([undefined, once]);
    expect(await policies({ 'slipway.dev/instance': ARN })).toEqual([once, once]);
    const unstored = (await answer(before)).resources;
    expect(unstored.get('first-boot-data')?.resource.spec, 'its id is not stored').not.toHaveProperty(
      'managementPolicies',
    );
  });

  test('the secret remains while the machine boots', () => {
    for (const reply of [created!, running!]) expect(keys(reply)).toEqual(expect.arrayContaining(CARRIERS));
  });

  test('once its node registered, the secret is deleted and the instance does not change', () => {
    expect(keys(registered!)).toEqual(['payload', 'instance', 'node', 'drain']);
    expect(resource(joined, 'instance')?.spec?.['forProvider']).toEqual(
      resource(made, 'instance')?.spec?.['forProvider'],
    );
    expect(userData(joined)).toBe(userData(made));
    expect(joined?.status['payload']).toEqual(waiting?.status['payload']);
    expect(joined?.compositeReady).toBe('Unspecified');
  });

  test('only composed Secrets have the data: no other composed object, no status and no condition', () => {
    for (const reply of replies) {
      const seen = [...objects(reply).filter(({ apiVersion }) => apiVersion !== 'v1'), reply.status, reply.conditions];
      for (const part of [...seen, reply.events]) expect(JSON.stringify(part)).not.toContain('fake-secret');
    }
  });

  test('the composed objects match the golden file', async () => {
    const shown = Object.fromEntries([...made!.resources].map(([key, { resource: object }]) => [key, object]));
    await expect(stringify(shown, { aliasDuplicateObjects: false, lineWidth: 0 })).toMatchFileSnapshot(
      join(import.meta.dirname, 'golden/hand-over.yaml'),
    );
  });

  test.skipIf(!crdsAvailable())('the API server accepts all its objects', () => {
    for (const reply of replies) expect(objects(reply).flatMap((object) => validateManaged(object))).toEqual([]);
  });
});

test('control-plane machines have secrets of their own, which workers may not read', async () => {
  const reply = await call({ input: HANDED_OVER, machine: aMachine(CONTROL_PLANE) });
  expect(at(resource(reply, 'first-boot-secret'), 'spec', 'forProvider', 'name')).toBe(
    `slipway/team-a/prod/control-plane/${NAME}`,
  );
});

describe('by size', () => {
  test('data is stored as it is while one secret can hold it', async () => {
    const reply = await call({ input: HANDED_OVER, context: aPayload('x'.repeat(65_536)) });
    expect(keys(reply)).toEqual(['payload', ...CARRIERS]);
    expect(reply.status['payload']).toMatchObject({ bytes: 65_536 });
  });

  test('larger data is packed into a Secret beside the payload, also where the format cannot be gzipped', async () => {
    const text = 'x'.repeat(65_537);
    const reply = await call({ input: HANDED_OVER, context: aPayload(text, { gzip: false }) });
    const value = stringAt(resource(reply, 'first-boot-packed'), 'data', 'value') ?? '';
    const binary = Buffer.from(Buffer.from(value, 'base64').toString(), 'base64');
    expect(gunzipSync(binary).toString()).toBe(text);
    expect(at(resource(reply, 'first-boot-data'), 'spec', 'forProvider', 'secretBinarySecretRef')).toEqual({
      name: `${NAME}-payload-packed`,
      key: 'value',
    });
    expect(reply.status['payload']).toMatchObject({ bytes: binary.length });
    expect(crdsAvailable() ? objects(reply).flatMap((object) => validateManaged(object)) : []).toEqual([]);
  });

  test('data that is too large even when packed is refused with its size, the limit and what helps', async () => {
    await expect(call({ input: HANDED_OVER, context: aPayload(noise(120_000)) })).rejects.toMatchObject({
      code: 'PayloadTooLarge',
      message: expect.stringMatching(
        /spec\.provisioning: first-boot data has \d+ bytes gzipped, and Secrets Manager accepts 65536: remove at least \d+ bytes, /,
      ) as string,
    });
  });
});

describe('an instance keeps the user data it was created with', () => {
  test('when that was plain user data, by this release or an earlier one', async () => {
    const before = await lived(WORLD.joined);
    const { firstBootSecrets: _none, ...worker } = anInfrastructure()['worker'] as JsonObject;
    for (const infrastructure of [anInfrastructure(), anInfrastructure({ worker })]) {
      const required = new Map([['cluster', [factsFor(aCluster(infrastructure))]]]);
      const reply = await answer({ ...before, input: HANDED_OVER, required });
      expect(keys(reply)).toEqual(['payload', 'instance', 'node', 'drain']);
      expect(resource(reply, 'instance')?.spec).toEqual(before.observed.resources.get('instance')?.resource.spec);
      expect(condition(reply, 'InfrastructureReady')).not.toHaveProperty('message');
    }
  });

  test('when that was handed over, and the platform goes back to plain user data while it boots', async () => {
    const before = await lived(WORLD.running, { input: HANDED_OVER });
    const reply = await answer({ ...before, input: anInput() });
    expect(keys(reply)).toEqual(['payload', ...CARRIERS, 'instance', 'node', 'drain']);
    expect(userData(reply)).toMatch(/^#cloud-boothook\n/);
  });
});

test('reports a refusal of AWS on the Machine, and creates no instance', async () => {
  const { last } = await play({ input: HANDED_OVER }, WORLD.untouched);
  const version = last.observed.resources.get('first-boot-data')!.resource;
  const message =
    'create failed: api error AccessDeniedException: not authorized to perform: secretsmanager:PutSecretValue';
  const conditions = [{ type: 'Synced', status: 'False', reason: 'ReconcileError', message }];
  const refused: Observed = { resource: { ...version, status: { conditions } }, connectionDetails: {} };
  const resources = new Map([...last.observed.resources, ['first-boot-data', refused] as const]);
  const reply = await answer({ ...last, observed: { ...last.observed, resources } });
  expect(keys(reply)).not.toContain('instance');
  expect(condition(reply, 'InfrastructureReady')?.message).toBe(
    `first-boot data is not in Secrets Manager yet: ${message}`,
  );
});

test('keeps the instance in the references of a call that does not see it, after it fetched and deleted its secret', async () => {
  const { last } = await play({ input: HANDED_OVER }, WORLD.untouched, WORLD.handedOver);
  const version = last.observed.resources.get('first-boot-data')!.resource;
  const message =
    "create failed: api error ResourceNotFoundException: Secrets Manager can't find the specified secret.";
  const conditions = [
    { type: 'Ready', status: 'False', reason: 'Creating' },
    { type: 'Synced', status: 'False', reason: 'ReconcileError', message },
  ];
  const status = { atProvider: { id: 'fake-secret|version-1' }, conditions };
  const resources = new Map([
    ...last.observed.resources,
    ['first-boot-data', { resource: { ...version, status }, connectionDetails: {} }] as const,
  ]);
  resources.delete('instance');
  const reply = await answer({ ...last, observed: { ...last.observed, resources } });
  expect(keys(reply)).toContain('instance');
  expect(userData(reply)).toMatch(/^#cloud-boothook\n/);
});

test('waits for a Cluster that has no path for secrets, and names the alternative', async () => {
  const { firstBootSecrets: _none, ...worker } = anInfrastructure()['worker'] as JsonObject;
  const reply = await call({ input: HANDED_OVER, clusters: [aCluster(anInfrastructure({ worker }))] });
  expect(keys(reply)).toEqual(['payload']);
  expect(condition(reply, 'InfrastructureReady')?.message).toBe(
    'waiting for status.infrastructure.worker.firstBootSecrets of Cluster prod: first-boot data is delivered there; with aws.userData: Plain in the Composition it is not needed',
  );
});

test('hands over the sealed part of a format in two parts, and puts the open part into user data', async () => {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const open = '{"ignition":{"version":"3.3.0"},"systemd":{"units":[{"name":"fake.service"}]}}';
  const apart = { open: encoded(open), sealed: encoded('fake-secret'), before: 'slipway-bootstrap.service' };
  const context = aPayload('fake-secret in clear', { format: 'ignition', apart });
  const { replies } = await play({ input: HANDED_OVER, context }, WORLD.untouched, WORLD.handedOver);
  const [first, , made] = replies;
  expect(keys(first!)).toEqual(['payload', ...CARRIERS]);
  expect(at(resource(first, 'first-boot-data'), 'spec', 'forProvider', 'secretStringSecretRef')).toEqual({
    name: `${NAME}-payload`,
    key: 'sealed',
  });
  expect(first?.status['payload']).toMatchObject({ format: 'ignition', bytes: 'fake-secret'.length });
  expect(first?.events).toEqual([]);
  expect(isIgnitionStub(Buffer.from(userData(made)))).toBe(true);
  const plain = await call({ context });
  expect(userData(plain), 'when the platform asks for it').toBe('fake-secret in clear');
});

test('refuses a format in two parts when its open part is too large', async () => {
  const open = Buffer.from(JSON.stringify({ ignition: { version: '3.3.0' }, fake: noise(20_000) })).toString('base64');
  const apart = { open, sealed: '', before: 'slipway-bootstrap.service' };
  await expect(
    call({ input: HANDED_OVER, context: aPayload('{}', { format: 'ignition', apart }) }),
  ).rejects.toMatchObject({
    code: 'PayloadTooLarge',
    message: expect.stringMatching(
      /spec\.provisioning: first-boot data has \d+ bytes besides the part in Secrets Manager, and EC2 accepts 16384: remove at least \d+ bytes, /,
    ) as string,
  });
});

describe('a format that Secrets Manager cannot deliver, with secrets', () => {
  const context = aPayload('{"fake":{}}', { format: 'fake' });
  const machine = aMachine({ provisioning: { format: 'fake-os' } });
  const allowed = anInput({ aws: { allowInClear: ['another', 'fake-os'] } });
  const note = 'first-boot data is unencrypted in user data: Secrets Manager cannot deliver format fake';

  test('is refused before anything is composed, with the reason and what would allow it', async () => {
    await expect(call({ input: HANDED_OVER, context, machine })).rejects.toMatchObject({
      code: 'Unsupported',
      field: 'spec.provisioning.format',
      message: `cannot accept Machine "team-a/${NAME}": spec.provisioning.format: no secret of the cloud can deliver "fake-os", and everyone who may describe a machine could read its join secrets; accepted: fake-os in allowInClear of ClusterInput and NodePoolInput, and in aws.allowInClear of MachineInput`,
    });
  });

  test('is refused as well if the platform allows others', async () => {
    const input = anInput({ aws: { allowInClear: ['another'] } });
    await expect(call({ input, context, machine })).rejects.toMatchObject({ code: 'Unsupported' });
  });

  test('is in user data if the platform allows it, and the Machine reports that once', async () => {
    const first = await call({ input: allowed, context, machine });
    expect(keys(first)).toEqual(['payload', 'instance']);
    expect(userData(first)).toBe('{"fake":{}}');
    expect(first.events).toEqual([{ severity: 'Warning', reason: 'InfrastructureNote', message: note }]);
    const settled = await answer(await lived(WORLD.joined, { input: allowed, context, machine }));
    expect(settled.events).toEqual([]);
    expect(condition(settled, 'InfrastructureReady')).toMatchObject({ status: 'True', message: note });
    expect((await call({ context, machine })).events, 'a platform that asked for it is not warned').toEqual([]);
  });

  test('stays there on an existing instance, whatever the platform allows now', async () => {
    for (const world of [WORLD.created, WORLD.joined]) {
      const before = await lived(world, { input: allowed, context, machine });
      const reply = await answer({ ...before, input: HANDED_OVER });
      expect(resource(reply, 'instance')).toEqual(resource(await answer(before), 'instance'));
    }
  });

  test('is refused if the data was stored, but the instance was not created yet', async () => {
    const { last } = await play({ input: allowed, context, machine }, WORLD.untouched);
    const resources = new Map(last.observed.resources);
    resources.delete('instance');
    const stored = { ...last, input: HANDED_OVER, observed: { ...last.observed, resources } };
    await expect(answer(stored)).rejects.toMatchObject({ code: 'Unsupported' });
  });
});

describe('stored data that lost a part', () => {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const open = '{"ignition":{"version":"3.3.0"}}';
  const apart = { open: encoded(open), sealed: encoded('fake-secret'), before: 'slipway-bootstrap.service' };
  const context = aPayload('fake-secret in clear', { format: 'ignition', apart });

  test.for(['open', 'sealed', 'before'])('is an error without its key %s, never user data', async (key) => {
    const { last } = await play({ input: HANDED_OVER, context }, WORLD.untouched);
    const payload = last.observed.resources.get('payload')!.resource;
    const { [key]: _lost, ...data } = payload['data'] as JsonObject;
    for (const input of [HANDED_OVER, anInput({ aws: { allowInClear: ['cloud-init', 'ignition'] } })]) {
      const resources = new Map([['payload', { resource: { ...payload, data }, connectionDetails: {} }] as const]);
      await expect(answer({ ...last, input, observed: { ...last.observed, resources } })).rejects.toMatchObject({
        code: 'UnreadableSecret',
        message: `cannot read first-boot data from Secret "team-a/${NAME}-payload": it has no key ${key}; restore it, or delete its Machine`,
      });
    }
  });
});

test.for(['nodeadm', 'bottlerocket'])('%s holds no join secret, so it may be in user data', async (format) => {
  const context = aPayload('x'.repeat(20_000), { format });
  const note = `first-boot data is unencrypted in user data: format ${format} cannot fetch it from elsewhere; it contains no join secret`;
  const reply = await call({ input: HANDED_OVER, context });
  expect(keys(reply)).toEqual(['payload', 'instance']);
  expect(reply.events).toEqual([{ severity: 'Warning', reason: 'InfrastructureNote', message: note }]);
  const bytes = Buffer.from(stringAt(resource(reply, 'instance'), 'spec', 'initProvider', 'userDataBase64')!, 'base64');
  expect(gunzipSync(bytes).toString(), 'it is gzipped when it is too large, since both can read that').toBe(
    'x'.repeat(20_000),
  );
});

test('data without join secrets is refused as well if it has values of Secrets that the claim refers to', async () => {
  const context = aPayload('x', { format: 'nodeadm' });
  const files = [{ path: '/etc/app', contentFrom: { secret: { name: 'app', key: 'password' } } }];
  const machine = aMachine({ provisioning: { format: 'nodeadm', files } });
  await expect(call({ input: HANDED_OVER, context, machine })).rejects.toMatchObject({
    code: 'Unsupported',
    message: expect.stringContaining('could read the values of its Secrets; accepted') as string,
  });
  const reply = await call({ input: anInput({ aws: { allowInClear: ['nodeadm'] } }), context, machine });
  expect(reply.events.map(({ message }) => message)).toEqual([
    'first-boot data is unencrypted in user data: Secrets Manager cannot deliver format nodeadm',
  ]);
});
