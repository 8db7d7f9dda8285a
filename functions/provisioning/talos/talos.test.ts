import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Payload } from '#lib/api/contracts/payload.ts';
import { type Json, type JsonObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { factsFor } from '../../../test/support/cluster-facts.ts';
import { aCluster } from '../../../test/support/claims.ts';
import { CERTIFICATE } from '../../../test/support/everything.ts';
import { everyTalosProvisioning } from './everything.fixture.ts';
import { expectIdempotent, expectPure } from '../../../test/support/function-laws.ts';
import { run } from '../fn.ts';
import { aPlan, aRenderRequest, rendered, replyTo } from '../plan.fixture.ts';
import { refusalOf, type Refused, refusalsOf, SECRET } from '../refusals.fixture.ts';
import { talos } from './talos.ts';

const RELEASES = ['1.13', '1.14'] as const;
type Release = (typeof RELEASES)[number];

function aTalosPlan(release: Release = '1.13', machine: JsonObject = { type: 'worker' }): JsonObject {
  return {
    contract: 1,
    kind: 'talos',
    provider: 'talos',
    nodeName: 'general-0-aaaaa',
    release,
    documents: [
      { version: 'v1alpha1', machine, cluster: {} },
      { apiVersion: 'v1alpha1', kind: 'HostnameConfig', auto: 'off', hostname: 'general-0-aaaaa' },
    ],
    noProxy: ['10.244.0.0/16', '.svc'],
  };
}

const installed = aTalosPlan('1.13', { type: 'worker', install: { disk: '/dev/sda', wipe: false } });
const claim = (fields: JsonObject): JsonObject => ({ format: 'talos', ...fields });
const documentsOf = async (fields: JsonObject, plan = aTalosPlan()): Promise<readonly Json[]> =>
  parseAllDocuments(await rendered(claim(fields), plan)).map((document) => document.toJS() as Json);

describe('the configuration of Talos on its first boot', () => {
  test.for(RELEASES)('contains everything a claim can say, in the layout of %s', async (release) => {
    const plan = release === '1.13' ? installed : aTalosPlan(release);
    const trust = {
      caCertificates: [CERTIFICATE],
      registries: [{ host: 'docker.io', mirrors: ['https://m.example.com'], caCertificate: CERTIFICATE }],
    };
    const text = await rendered({ ...everyTalosProvisioning(release), ...trust }, plan);
    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, `golden/everything-${release}.yaml`));
  });

  test('is just the plan when a claim says nothing; and not packed, because few platforms unpack it', async () => {
    const { context } = await replyTo(aRenderRequest(claim({}), aTalosPlan()));
    expect(Payload.parse(context[CONTEXT.payload])).toMatchObject({ format: 'talos', gzip: false });
    expect(await documentsOf({})).toEqual(aTalosPlan()['documents']);
  });

  test('keeps any text of a file for YAML parsers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (content) => {
        const [first] = await documentsOf({ files: [{ path: '/var/a', content }] });
        expect(first).toMatchObject({
          machine: { files: [{ path: '/var/a', content, permissions: 0o644, op: 'create' }] },
        });
      }),
      { numRuns: 200 },
    );
  });

  test('trusts a mirror of two registries once, with both certificates', async () => {
    const mirrors = ['https://m.example.com:5000/v2'];
    const registries = [
      { host: 'docker.io', mirrors, caCertificate: CERTIFICATE },
      { host: 'ghcr.io', mirrors, caCertificate: CERTIFICATE },
    ];
    const documents = await documentsOf({ registries });
    expect(documents.filter((one) => (one as JsonObject)['kind'] === 'RegistryTLSConfig')).toEqual([
      { apiVersion: 'v1alpha1', kind: 'RegistryTLSConfig', name: 'm.example.com:5000', ca: CERTIFICATE },
    ]);
  });

  test('has the user and password of a mirror in a document of their own', async () => {
    const credentialsFrom = { secret: { name: 'app', key: 'mirror' } };
    const registries = [{ host: 'docker.io', mirrors: ['https://m.example.com:5000/v2'], credentialsFrom }];
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'app', namespace: 'team-a', labels: { 'slipway.dev/cluster': 'prod' } },
      data: { mirror: Buffer.from('fake-user:fake:password').toString('base64') },
    };
    const request = aRenderRequest(claim({ registries }), aTalosPlan());
    const required = new Map([
      ['cluster', [factsFor(aCluster())]],
      ['secret-app', [secret]],
    ] as const);
    const { context } = await replyTo({ ...request, required });
    const text = Buffer.from(Payload.parse(context[CONTEXT.payload]).value, 'base64').toString();
    expect(parseAllDocuments(text).map((document) => document.toJS() as Json)).toContainEqual({
      apiVersion: 'v1alpha1',
      kind: 'RegistryAuthConfig',
      name: 'm.example.com:5000',
      username: 'fake-user',
      password: 'fake:password',
    });
  });

  test('merges two entries for one address into one document', async () => {
    const hosts = [
      { address: '10.0.0.9', names: ['a'] },
      { address: '10.0.0.9', names: ['b', 'a'] },
    ];
    expect((await documentsOf({ hosts })).at(-1)).toMatchObject({ name: '10.0.0.9', hostnames: ['a', 'b'] });
  });

  test('holds the laws of every function', async () => {
    const request = aRenderRequest(everyTalosProvisioning('1.13'), installed);
    await expectPure(run, request);
    await expectIdempotent(run, request);
  });
});

/** A value for every field that Talos cannot express. */
const UNSAID: Readonly<Record<string, Json>> = {
  users: [{ name: 'ops' }],
  groups: [{ name: 'ops' }],
  commands: { pre: [SECRET] },
  packages: ['nfs-common'],
  units: [{ name: 'a.service', contents: SECRET }],
  timezone: 'Europe/Zurich',
  disks: [{ device: '/dev/sdb', partitions: [{}] }],
  swap: { path: '/var/swap', sizeMiB: 1 },
};

const volume = { filesystems: [{ device: '/dev/sdb' }], mounts: [{ device: '/dev/sdb', path: '/var/mnt/data' }] };
const file = (parts: JsonObject): JsonObject => ({ files: [{ path: '/var/a', content: SECRET, ...parts }] });

const REFUSED: readonly Refused[] = [
  ...Object.entries(UNSAID).map(([field, value]) => ({ name: field, given: { [field]: value } })),
  { name: 'a file outside /var', given: file({ path: '/etc/motd' }) },
  { name: 'a file that leaves /var', given: file({ path: '/var/../etc/motd' }) },
  { name: 'a file below /var for 1.14', given: file({}), plan: aTalosPlan('1.14') },
  { name: 'a file with an owner', given: file({ owner: 'ops:ops' }) },
  { name: 'a file that is appended to', given: file({ append: true }) },
  { name: 'a file that is not text', given: file({ encoding: 'base64', content: '/w==' }) },
  { name: 'a file that is not in its encoding', given: file({ encoding: 'base64', content: `${SECRET}!` }) },
  {
    name: 'one path twice',
    given: {
      files: [
        { path: '/var/a', content: 'a' },
        { path: '/var//a', content: 'b' },
      ],
    },
  },
  { name: 'kernel arguments without an installation', given: { kernelArguments: ['a=b'] } },
  { name: 'kernel arguments for 1.14', given: { kernelArguments: ['a=b'] }, plan: aTalosPlan('1.14') },
  { name: 'a filesystem without a mount', given: { filesystems: volume.filesystems } },
  { name: 'a mount without a filesystem', given: { mounts: volume.mounts } },
  { name: 'a mount outside /var', given: { ...volume, mounts: [{ device: '/dev/sdb', path: '/data' }] } },
  { name: 'a mount with options', given: { ...volume, mounts: [{ ...volume.mounts[0]!, options: ['noatime'] }] } },
  { name: 'a mount of another format', given: { ...volume, mounts: [{ ...volume.mounts[0]!, format: 'xfs' }] } },
  {
    name: 'a filesystem that Talos does not create',
    given: { ...volume, filesystems: [{ device: '/dev/sdb', format: 'btrfs' }] },
  },
  { name: 'a filesystem with a label', given: { ...volume, filesystems: [{ device: '/dev/sdb', label: 'data' }] } },
  {
    name: 'a filesystem that overwrites an existing one',
    given: { ...volume, filesystems: [{ device: '/dev/sdb', wipe: true }] },
  },
  { name: 'raw fields of another format', given: { raw: { 'cloud-init': { locale: 'C' } } } },
  { name: 'raw fields of the first document', given: { raw: { talos: { machine: {} } } } },
  { name: 'an invalid raw document', given: { raw: { talos: { SwapVolumeConfig: SECRET } } } },
  { name: 'a raw document that is already set', given: { raw: { talos: { HostnameConfig: { hostname: 'x' } } } } },
  {
    name: 'a field that a patch of the plan wrote',
    given: { sysctls: { a: 'b' } },
    plan: aTalosPlan('1.13', { type: 'worker', sysctls: {} }),
  },
  { name: 'a plan of Talos for cloud-init', given: { format: 'cloud-init' } },
];

describe('what Talos cannot do', () => {
  test('is refused in one line that says what to do instead, without a secret', async () => {
    const refusals = await refusalsOf('talos', REFUSED, aTalosPlan());
    await expect(refusals).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refusals.txt'));
  });

  test('refuses a plan of files and commands', async () => {
    const { code, message } = await refusalOf(claim({}), aPlan());
    expect(code).toBe('Unsupported');
    expect(message).toMatch(/: "talos" cannot start kubeadm; accepted: cloud-init/);
  });

  test('has a test for every limit', () => {
    expect(Object.keys(UNSAID).toSorted()).toEqual(Object.keys(talos.limits).toSorted());
  });
});
