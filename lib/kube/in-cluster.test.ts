import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestTime } from '../../test/support/test-time.ts';
import { headersOf } from './endpoint.ts';
import { inClusterEndpoint } from './in-cluster.ts';

const ENV = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
let folder: string;
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-account-'));
  write('token', 'first\n');
  write('ca.crt', 'an authority');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the API of the cluster of a pod is asked with the token of its service account, which is replaced', () => {
  const time = new TestTime();
  const endpoint = inClusterEndpoint({ env: ENV, folder, timing: time });
  expect(endpoint).toMatchObject({ server: 'https://10.96.0.1:443', credentials: { ca: 'an authority' } });
  const token = (): unknown => headersOf(endpoint)['authorization'];
  write('token', 'second');
  time.pass(59);
  expect(token()).toBe('Bearer first');
  time.pass(1);
  expect(token()).toBe('Bearer second');
  rmSync(join(folder, 'token'));
  time.pass(600);
  expect(token(), 'while the file is being replaced').toBe('Bearer second');
});

test('an address of IPv6 stands in brackets', () => {
  const env = { ...ENV, KUBERNETES_SERVICE_HOST: 'fd00::1' };
  expect(inClusterEndpoint({ env, folder }).server).toBe('https://[fd00::1]:443');
});

test('outside of a pod there is none', () => {
  expect(() => inClusterEndpoint({ env: {} })).toThrow(
    'cannot find the Kubernetes API: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set',
  );
  expect(() => inClusterEndpoint({ env: ENV, folder: '/nowhere' })).toThrow(
    'cannot read the service account "/nowhere/token": no such file',
  );
});
