/**
 * Secrets occur in Secrets only. Here over gRPC, with all logs and metrics of the functions; test/matrix checks the
 * same in process for every pair of bootstrapper and provisioner.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { type FunctionFolder, FUNCTIONS, functionName } from '../../cli/files/repository.ts';
import { type Running, running } from '../conformance/function-process.ts';
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
    expect.arrayContaining(['prod-ca', 'prod-etcd', 'prod-kubeconfig', 'prod-proxy', 'prod-sa', 'prod-token']),
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
  const { ready, sightings } = await simulate(claimOf(PAIR), inProcess, compositionsWith({ userData: 'Plain' }));
  expect(ready).toBe(true);
  const places = sightings.leaks.map((leak) => leak.slice(0, leak.indexOf(':')));
  expect([...new Set(places)]).toEqual(['Instance.spec.initProvider.userDataBase64']);
});

test('a format that no secret store delivers gets no machine, unless the platform says so', async () => {
  const claim = claimOf({ name: 'talos', provider: 'talos', format: 'talos' });
  const simulation = await simulate(claim, inProcess, undefined, 900);
  const [machine] = machinesOf(simulation);
  expect(conditionOf(machine, 'ClaimAccepted')).toMatchObject({
    status: 'False',
    reason: 'Unsupported',
    message: expect.stringContaining('talos in aws.allowInClear of MachineInput of the Composition') as string,
  });
  expect(simulation.engine.list({ apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' })).toEqual([]);
  expect(simulation.sightings.leaks).toEqual([]);
  const allowed = await simulate(claim, inProcess, compositionsWith({ allowInClear: ['talos'] }));
  expect(allowed.ready).toBe(true);
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
