/**
 * Secrets occur in Secrets only. Here over gRPC, with all logs and metrics of the functions; test/matrix checks the
 * same in process for every pair of bootstrapper and provisioner.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { type FunctionFolder, FUNCTIONS, functionName } from '../../cli/files/repository.ts';
import { saveObjects } from '../../cli/simulate/save.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { type Running, running } from '../conformance/function-process.ts';
import { file } from '../cli/written.ts';
import { claimOf } from '../matrix/claim.ts';
import { machinesOf, simulate } from '../matrix/simulation.ts';
import { inProcess } from '../support/in-process.ts';
import { compositionsWith } from '../support/platform.ts';
import { foundIn, secretsOf } from './findings.ts';

const PAIR = { name: 'the example', provider: 'kubeadm', format: 'cloud-init' };

async function startAll(): Promise<ReadonlyMap<string, Running>> {
  const start = (folder: FunctionFolder): Promise<Running> =>
    running(['--insecure', '--debug', '--clock', 'request'], { main: `../../functions/${folder}` });
  const all = await Promise.all(FUNCTIONS.map(start));
  return new Map(FUNCTIONS.map((folder, index) => [functionName(folder), all[index]!]));
}

test('on the way to Ready only Secrets contain a secret, in logs and metrics too', async () => {
  const functions = await startAll();
  const { engine, ready, sightings } = await simulate(claimOf(PAIR), (name) => functions.get(name)!.client);
  for (const [name, { plain, child, ended }] of functions) {
    sightings.note(`metrics of ${name}`, await (await fetch(`${plain}/metrics`)).text());
    child.kill('SIGTERM');
    const { stdout, stderr } = await ended;
    sightings.note(`log of ${name}`, `${stdout}${stderr}`);
    expect(stdout, 'every call is logged').toMatch(/"outcome":"accepted"/);
  }

  expect(ready).toBe(true);
  expect([...sightings.secrets].toSorted()).toEqual(
    expect.arrayContaining(['prod-ca', 'prod-etcd', 'prod-kubeconfig', 'prod-proxy', 'prod-sa']),
  );
  expect(sightings.leaks).toEqual([]);
  expect([...sightings.places]).toEqual(
    expect.arrayContaining([
      'Cluster.status.conditions[].message',
      'Machine.spec.bootstrap.provider',
      'Instance.spec.initProvider.userDataBase64',
      'Secret.spec.forProvider.name',
      'SecretVersion.spec.forProvider.secretStringSecretRef.name',
      'WorkloadNode.spec.node.name',
      'condition.condition.message',
      'event.event.message',
      'log of slipway-function-bootstrap',
      'metrics of slipway-function-bootstrap',
    ]),
  );
  const left = ['Secret', 'SecretVersion'].flatMap((kind) =>
    engine.list({ apiVersion: 'secretsmanager.aws.m.upbound.io/v1beta1', kind }),
  );
  expect(left, 'in the cloud').toEqual([]);
});

test('a platform that asks for plain user data has secrets there, and nowhere else', async () => {
  const { engine, ready, sightings } = await simulate(
    claimOf(PAIR),
    inProcess,
    compositionsWith({ userData: 'Plain' }),
  );
  expect(ready).toBe(true);
  const places = sightings.leaks.map((leak) => leak.slice(0, leak.indexOf(':')));
  // The provider fills in forProvider what initProvider has.
  expect([...new Set(places)].toSorted()).toEqual([
    'Instance.spec.forProvider.userDataBase64',
    'Instance.spec.initProvider.userDataBase64',
  ]);

  const saved = file('saved.yaml', '');
  saveObjects(engine, saved);
  const secrets = engine.list({ apiVersion: 'v1', kind: 'Secret' }).flatMap(secretsOf);
  const text = readFileSync(saved, 'utf8');
  expect(text).toContain('userDataBase64: masked');
  expect(foundIn(text, secrets), 'in what simulate --save writes').toEqual([]);
});

describe('values of Secrets that a claim refers to', () => {
  const from = (key: string): JsonObject => ({ secret: { name: 'app', key } });
  const values = {
    file: 'fake-file-secret-of-a-team',
    unit: '[Service]\nEnvironment=A=fake-unit-secret-of-a-team\n',
    dropIn: '[Service]\nEnvironment=A=fake-drop-in-secret-of-a-team\n',
    pre: 'true fake-pre-secret-of-a-team',
    post: 'true fake-post-secret-of-a-team',
    hash: '$6$fakesalt$fake-hash-of-a-team',
    proxy: 'http://fake-user:fake-password@proxy.example.com:3128',
    mirror: 'fake-user:fake-mirror-password',
  };
  const app: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'app', namespace: 'team-a', labels: { 'slipway.dev/cluster': 'prod' } },
    data: Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
  };
  const provisioning: JsonObject = {
    files: [{ path: '/etc/app/secret', contentFrom: from('file') }],
    units: [
      { name: 'app.service', contentsFrom: from('unit') },
      { name: 'containerd.service', dropIns: [{ name: '50-app.conf', contentsFrom: from('dropIn') }] },
    ],
    commands: { preFrom: [from('pre')], postFrom: [from('post')] },
    users: [{ name: 'ops', passwordHashFrom: from('hash') }],
    proxy: { httpFrom: from('proxy') },
    registries: [{ host: 'docker.io', mirrors: ['https://m.example.com'], credentialsFrom: from('mirror') }],
  };
  const claim = (format: string): readonly KubeObject[] =>
    claimOf({ ...PAIR, format }).map((object) =>
      object.kind === 'Cluster'
        ? { ...object, spec: { ...object.spec, provisioning: { format, ...provisioning } } }
        : object,
    );

  test.for(['cloud-init', 'ignition'])('reach machines with %s, and nothing but Secrets has them', async (format) => {
    const simulation = await simulate([app, ...claim(format)], inProcess);
    const { ready, sightings } = simulation;
    expect(ready, JSON.stringify(simulation.engine.snapshot().timeline.slice(-3))).toBe(true);
    expect(sightings.secrets).toContain('app');
    expect(sightings.leaks).toEqual([]);
    expect(sightings.places).toContain('Machine.spec.provisioning.files[].contentFrom.secret.name');
  });

  test('are waited for, and a change of them changes no machine', async () => {
    const { engine } = await simulate(claim('cloud-init'), inProcess, undefined, 900);
    const machines = () => engine.list({ apiVersion: API_VERSION, kind: 'Machine' });
    expect(machines().map((one) => conditionOf(one, 'BootstrapConfigReady')?.message)).toEqual([
      'waiting for Secret "team-a/app"',
    ]);
    engine.apply(app);
    expect((await engine.runUntil(() => allReady(engine), { limitSeconds: 7200 })).reached).toBe(true);
    const before = machines().map(({ metadata, spec }) => [metadata?.uid, spec]);
    const data = Object.fromEntries(Object.keys(values).map((key) => [key, Buffer.from('other').toString('base64')]));
    engine.apply({ ...app, data });
    await engine.runUntil(() => false, { limitSeconds: 3600 });
    expect(machines().map(({ metadata, spec }) => [metadata?.uid, spec])).toEqual(before);
    expect(engine.snapshot()).toMatchObject({ violations: [], counters: { machinesBooted: 4 } });
  });
});

test('a format that no secret store delivers gets no network and no machine, unless the platform says so', async () => {
  const claim = claimOf({ name: 'talos', provider: 'talos', format: 'talos' });
  const simulation = await simulate(claim, inProcess, undefined, 900);
  const [cluster] = simulation.engine.list({ apiVersion: API_VERSION, kind: 'Cluster' });
  expect(conditionOf(cluster, 'ClaimAccepted')).toMatchObject({
    status: 'False',
    reason: 'Unsupported',
    message: expect.stringContaining(
      'talos in allowInClear of ClusterInput and NodePoolInput, and in aws.allowInClear of MachineInput',
    ) as string,
  });
  expect(simulation.engine.list({ apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'VPC' })).toEqual([]);
  const allowed = await simulate(claim, inProcess, compositionsWith({ allowInClear: ['talos'] }));
  expect(allowed.ready).toBe(true);
});

test('such a machine is refused by itself where the platform allows the format of the claim alone', async () => {
  const claim = claimOf({ name: 'talos', provider: 'talos', format: 'talos' });
  const compositions = compositionsWith({ allowInClear: ['talos'] }, {});
  const simulation = await simulate(claim, inProcess, compositions, 900);
  const [machine] = machinesOf(simulation);
  expect(conditionOf(machine, 'ClaimAccepted')).toMatchObject({
    status: 'False',
    reason: 'Unsupported',
    message: expect.stringContaining('and in aws.allowInClear of MachineInput') as string,
  });
  expect(simulation.engine.list({ apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' })).toEqual([]);
  expect(simulation.sightings.leaks).toEqual([]);
});

describe('a secret', () => {
  const text = 'fake-token-of-a-cluster';
  const key = `-----BEGIN PRIVATE KEY-----\n${'FAKE'.repeat(16)}\n-----END PRIVATE KEY-----\n`;
  const base64 = (value: Uint8Array | string): string => Buffer.from(value as string).toString('base64');
  const secret = (data: Record<string, string>): KubeObject => ({ apiVersion: 'v1', kind: 'Secret', data });

  test.for([
    { name: 'in plain text', wrapped: `--token ${text}` },
    { name: 'in base64', wrapped: `data: ${base64(text)}` },
    { name: 'gzipped', wrapped: base64(gzipSync(`token: ${text}`)) },
    { name: 'in a data URL', wrapped: `data:,token%3A%20${text.replaceAll('-', '%2D')}` },
    {
      name: 'in two encodings at once',
      wrapped: base64(gzipSync(JSON.stringify({ source: `data:;base64,${base64(text)}` }))),
    },
  ])('is found $name', ({ wrapped }) => {
    const secrets = secretsOf(secret({ token: base64(text) }));
    expect(foundIn(wrapped, secrets)).toEqual([text]);
    expect(foundIn(wrapped.slice(0, -8), secrets)).toEqual([]);
  });

  test('is every line of a private key, but not of a certificate', () => {
    const indented = key.replaceAll('\n', '\n    ');
    expect(foundIn(indented, secretsOf(secret({ 'tls.key': base64(key) })))).toEqual(['FAKE'.repeat(16)]);
    const certificate = key.replaceAll('PRIVATE KEY', 'CERTIFICATE');
    expect(secretsOf(secret({ 'tls.crt': base64(certificate), format: base64('cloud-config') }))).toEqual([]);
  });
});
