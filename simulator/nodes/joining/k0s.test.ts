/** Files as a user would write them from the documentation of k0s, and how a simulated machine reads them. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { BootFile } from '../first-boot/format.ts';
import { newCa } from '../../../test/support/booted-machines.ts';
import { joinPlanOf } from './joining.ts';
import type { JoinPlan } from './plan.ts';

let ca = '';
let otherCa = '';
beforeAll(async () => {
  [ca, otherCa] = await Promise.all([newCa('kubernetes-ca'), newCa('kubernetes-ca')]);
});

const encoded = (text: string): string => Buffer.from(text).toString('base64');

const config: BootFile = {
  path: '/etc/k0s.yaml',
  content: stringify({
    kind: 'ClusterConfig',
    spec: { api: { externalAddress: 'api.example.org', port: 6443, k0sApiPort: 9443 } },
  }),
};

const install = (role: string, flags = '--enable-worker'): BootFile => ({
  path: '/opt/install.sh',
  content: `#!/bin/sh\n# v1.35.4+k0s.0\nk0s install ${role} ${flags} '--labels=a=b,c=' '--taints=t=v:NoSchedule,u:NoExecute'\n`,
});

function token(user: string, server: string): BootFile {
  const kubeconfig = {
    clusters: [{ name: 'k0s', cluster: { server, 'certificate-authority-data': encoded(ca) } }],
    users: [{ name: user, user: { token: 'abcdef.0123456789abcdef' } }],
  };
  return { path: '/etc/k0s.token', content: gzipSync(stringify(kubeconfig)).toString('base64') };
}

const secret = (usage: string): BootFile => ({
  path: '/var/lib/k0s/manifests/tokens/one.yaml',
  content: stringify({
    kind: 'Secret',
    type: 'bootstrap.kubernetes.io/token',
    data: {
      'token-id': encoded('abcdef'),
      'token-secret': encoded('0123456789abcdef'),
      [usage]: encoded('true'),
    },
  }),
});

const planOf = (...files: readonly BootFile[]): JoinPlan => joinPlanOf({ files, text: '' });
const authority = (): BootFile => ({ path: '/var/lib/k0s/pki/ca.crt', content: ca });

describe('a machine with k0s', () => {
  test('starts a cluster with the tokens of its manifests, each with its purpose', () => {
    const files = [config, install('controller'), authority()];
    expect(planOf(...files, secret('usage-controller-join'))).toMatchObject({
      action: 'init',
      endpoint: 'api.example.org:6443',
      tokens: ['controller abcdef.0123456789abcdef'],
      version: 'v1.35.4',
      labels: { a: 'b', c: '' },
      taints: [
        { key: 't', value: 'v', effect: 'NoSchedule' },
        { key: 'u', effect: 'NoExecute' },
      ],
    });
    expect(planOf(...files, secret('usage-bootstrap-authentication'))).toMatchObject({
      tokens: ['worker abcdef.0123456789abcdef'],
    });
  });

  test('joins as a worker through the Kubernetes API, and as a controller through the API of k0s', () => {
    expect(planOf(install('worker'), token('kubelet-bootstrap', 'https://api.example.org:6443'))).toMatchObject({
      action: 'join',
      controlPlane: false,
      endpoint: 'api.example.org:6443',
      token: 'worker abcdef.0123456789abcdef',
    });
    const controller = token('controller-bootstrap', 'https://api.example.org:9443');
    expect(planOf(config, install('controller'), controller)).toMatchObject({
      controlPlane: true,
      endpoint: 'api.example.org:6443',
      by: 'api.example.org:9443',
      token: 'controller abcdef.0123456789abcdef',
    });
  });

  test('trusts only the authority of its token', () => {
    const plan = planOf(install('worker'), token('kubelet-bootstrap', 'https://api.example.org:6443'));
    expect([ca, otherCa].map((pem) => plan.action === 'join' && plan.trusts(pem))).toEqual([true, false]);
  });

  test.for<{ readonly name: string; readonly files: () => readonly BootFile[]; readonly want: RegExp }>([
    {
      name: 'a controller that would not be a node',
      files: () => [config, install('controller', '--force'), authority()],
      want: /without --enable-worker/,
    },
    { name: 'no authority', files: () => [config, install('controller')], want: /ca\.crt is not among the files/ },
    {
      name: 'a worker’s token for a controller',
      files: () => [config, install('controller'), token('kubelet-bootstrap', 'https://api.example.org:9443')],
      want: /wrong token type kubelet-bootstrap, expected type: controller-bootstrap/,
    },
    {
      name: 'a controller that joins at the Kubernetes API',
      files: () => [config, install('controller'), token('controller-bootstrap', 'https://api.example.org:6443')],
      want: /answers at port 9443, not at api\.example\.org:6443/,
    },
    {
      name: 'a token that is not gzip',
      files: () => [install('worker'), { path: '/etc/k0s.token', content: encoded('x') }],
      want: /failed to decode join token/,
    },
    { name: 'a missing command that runs k0s', files: () => [config, authority()], want: /no file runs k0s install/ },
  ])('fails on $name', ({ files, want }) => {
    expect(() => planOf(...files())).toThrow(want);
  });
});
