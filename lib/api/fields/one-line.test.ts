/** What a claim gives for one line of a file stays one line, and what it gives for one place stays in that place. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { validateManaged } from '../../../test/support/crds.ts';
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../json.ts';
import { Cluster } from '../kinds/cluster.ts';
import { SlipwayError } from '../errors.ts';
import { parseAs } from '../parse.ts';
import { wrappedBy } from '../schema/wrapped.ts';
import { customisation } from './provisioning.ts';

/** Every field with text that somebody chooses, filled in. */
const FULL: JsonObject = {
  files: [{ path: '/etc/app/x', content: 'a\nb\n', owner: 'app:app' }],
  users: [
    {
      name: 'app',
      gecos: 'An app',
      groups: ['wheel'],
      shell: '/bin/bash',
      sudo: 'ALL=(ALL) NOPASSWD:ALL',
      sshAuthorizedKeys: ['ssh-ed25519 AAAA me@here'],
      passwordHash: '$6$salt$hash',
      primaryGroup: 'app',
      homeDir: '/srv/app',
      expires: '2100-01-01',
    },
  ],
  groups: [{ name: 'app' }],
  commands: { pre: ['a\nb'], post: ['c\nd'] },
  packages: ['nfs-common'],
  ntp: { servers: ['time.example.com'] },
  timezone: 'Europe/Zurich',
  sysctls: { 'net.ipv4.tcp_rmem': '4096\t87380\t6291456' },
  kernelModules: ['br_netfilter'],
  caCertificates: ['-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n'],
  units: [{ name: 'a.service', contents: '[Unit]\n', dropIns: [{ name: 'a.conf', contents: '[Unit]\n' }] }],
  disks: [{ device: '/dev/sdb', partitions: [{ label: 'data' }] }],
  filesystems: [{ device: '/dev/sdb1', label: 'data', options: ['-q'] }],
  mounts: [{ device: 'LABEL=data', path: '/var/lib/data', options: ['noatime'] }],
  swap: { path: '/var/swap', sizeMiB: 64 },
  hosts: [{ address: '10.0.0.9', names: ['db'] }],
  kernelArguments: ['hugepages=512'],
  proxy: { http: 'http://proxy:3128', https: 'http://proxy:3128', none: ['.example.com'] },
  registries: [{ host: 'docker.io', mirrors: ['https://mirror.example.com'], caCertificate: 'a\nb\n' }],
};

/** Texts of several lines: contents of files, scripts and certificates. */
const SEVERAL = new Set([
  'files[].content',
  'commands.pre[]',
  'commands.post[]',
  'caCertificates[]',
  'units[].contents',
  'units[].dropIns[].contents',
  'registries[].caCertificate',
]);

interface Place {
  readonly path: string;
  readonly put: (change: (text: string) => string) => Json;
}

function placesIn(value: Json | undefined, path: string): readonly Place[] {
  if (typeof value === 'string') return [{ path, put: (change) => change(value) }];
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return items.flatMap((item, index) =>
      placesIn(item, `${path}[]`).map((one) => ({
        path: one.path,
        put: (change: (text: string) => string): Json => items.with(index, one.put(change)),
      })),
    );
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, below]) => [
    ...placesIn(below, path === '' ? key : `${path}.${key}`).map((one) => ({
      path: one.path,
      put: (change: (text: string) => string): Json => ({ ...value, [key]: one.put(change) }),
    })),
    ...(path === 'sysctls'
      ? [{ path: 'sysctls{}', put: (change: (text: string) => string): Json => ({ [change(key)]: below }) }]
      : []),
  ]);
}

const claim = (provisioning: Json): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'prod', namespace: 'team-a' },
  spec: { version: 'v1.35.4', region: 'eu-west', controlPlane: { machine: { class: 'a' } }, provisioning },
});

const refusal = (provisioning: Json): string | undefined => {
  try {
    parseAs(Cluster, claim(provisioning), 'it');
    return undefined;
  } catch (thrown) {
    return SlipwayError.from(thrown).message;
  }
};

const PLACES = placesIn(FULL, '');

test('the claim with every text is accepted', () => {
  expect(refusal(FULL)).toBeUndefined();
  expect(validateManaged(claim(FULL))).toEqual([]);
});

test('every text of the customisation is among the places, so that a new one is tried as well', () => {
  const texts = Object.entries(customisation).flatMap(([key, schema]) => textsOf(schema, key));
  expect([...new Set(PLACES.map(({ path }) => path).filter((path) => !path.endsWith('{}')))].toSorted()).toEqual(
    texts.map((path) => path.replace('sysctls{}', 'sysctls.net.ipv4.tcp_rmem')).toSorted(),
  );
});

/** Free texts below a schema; words of an enum are not free, and raw fields belong to another schema. */
function textsOf(schema: z.ZodType, path: string): readonly string[] {
  const inner = wrappedBy(schema);
  if (inner !== undefined) return textsOf(inner, path);
  // Names of Secrets and keys are no texts for a machine.
  if (path === 'raw' || /From(\[\])?$/.test(path)) return [];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, member]) => textsOf(member as z.ZodType, `${path}.${key}`));
  if (schema instanceof z.ZodArray) return textsOf(schema.element as z.ZodType, `${path}[]`);
  if (schema instanceof z.ZodRecord) return textsOf(schema.valueType as z.ZodType, `${path}{}`);
  if (!(schema instanceof z.ZodString) || path.endsWith('.mode')) return [];
  return [path];
}

describe.for(PLACES.filter(({ path }) => !SEVERAL.has(path)))('$path', ({ path, put }) => {
  test.for(['\n', '\r', '\u0000', '\u001b', '\u0085', '\n[Service]\nExecStart=/bin/evil'])(
    'refuses %j in its middle',
    (inside) => {
      const middle = put((text) => `${text.slice(0, 3)}${inside}${text.slice(3)}`);
      expect(refusal(middle)).toMatch(/^cannot accept it: spec\.provisioning\.[^\n]+$/);
      // Names of parameters are keys: a schema of the API server says nothing about keys.
      expect(validateManaged(claim(middle)).length > 0).toBe(path !== 'sysctls{}');
    },
  );
});

describe('a path', () => {
  const paths = PLACES.filter(({ path }) => /^(files\[\]|mounts\[\]|swap)\.path$/.test(path));
  const BAD = ['/etc/../run/x', '/etc/..', '/./tmp/x', '//run/x', '/etc/x/.', '/../etc/x', 'etc/x', '/run/x'];

  test.for(paths.flatMap((place) => BAD.map((bad) => ({ ...place, bad }))))('$path refuses $bad', ({ put, bad }) => {
    const moved = put(() => bad);
    expect(refusal(moved)).toMatch(/without \. and \.\.$/);
    expect(validateManaged(claim(moved))).not.toEqual([]);
  });

  test.for(
    paths.flatMap((place) =>
      ['/etc/..x/y', '/etc/.hidden', '/var/a..b/c', '/var//a'].map((good) => ({ ...place, good })),
    ),
  )('$path accepts $good', ({ put, good }) => {
    expect(refusal(put(() => good))).toBeUndefined();
    expect(validateManaged(claim(put(() => good)))).toEqual([]);
  });
});

test('a public key may end with the line end of its file', () => {
  const key = { users: [{ name: 'app', sshAuthorizedKeys: ['ssh-ed25519 AAAA me@here\n'] }] };
  expect(refusal(key)).toBeUndefined();
  expect(validateManaged(claim(key))).toEqual([]);
});
