import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Machine } from '#lib/api/kinds/machine.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { aMachine } from '../../../test/support/claims.ts';
import { CERTIFICATE } from '../../../test/support/everything.ts';
import { registryFiles } from './registries.ts';

const credentialsFrom = { secret: { name: 'app', key: 'mirror' } };

function filesOf(...registries: readonly JsonObject[]) {
  const machine = Machine.parse(aMachine({ spec: { provisioning: { registries: [...registries] } } }));
  const filled = machine.spec.provisioning.registries.map((one, index) => ({
    ...one,
    ...(one.credentialsFrom === undefined ? {} : { credentials: `fake-user:fake:password${index}` }),
  }));
  const { spec } = machine;
  const whole = { ...machine, spec: { ...spec, provisioning: { ...spec.provisioning, registries: filled } } };
  return registryFiles(whole, '/etc/rancher/k3s', 'Machine "a/b"');
}

test('a mirror has its user and password beside its certificate, in a file that only root may read', () => {
  const [file] = filesOf(
    { host: 'docker.io', mirrors: ['https://a.example.com'], caCertificate: CERTIFICATE, credentialsFrom },
    { host: 'quay.io', mirrors: ['https://b.example.com'], credentialsFrom },
    { host: 'ghcr.io', mirrors: ['https://c.example.com'] },
  );
  expect(file?.mode).toBe('0600');
  const text = Buffer.from(file?.content ?? '', 'base64').toString();
  expect((parse(text) as { configs: unknown }).configs).toEqual({
    'a.example.com': {
      tls: { ca_file: '/etc/rancher/k3s/registry-0.crt' },
      auth: { username: 'fake-user', password: 'fake:password0' },
    },
    'b.example.com': { auth: { username: 'fake-user', password: 'fake:password1' } },
  });
});

test('two users for one mirror are refused, without their names', () => {
  const mirrors = ['https://a.example.com'];
  expect(() =>
    filesOf({ host: 'docker.io', mirrors, credentialsFrom }, { host: 'quay.io', mirrors, credentialsFrom }),
  ).toThrow(
    'cannot accept Machine "a/b": spec.provisioning.registries[1].credentialsFrom: mirror "a.example.com" has other credentials in another entry; accepted: one user for each mirror',
  );
});
