import { describe, expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster } from '../../../test/support/claims.ts';
import { CERTIFICATE } from '../../../test/support/everything.ts';
import { aBootstrappedCluster, machineOf, machineRequest } from '../../../test/support/first-boot.ts';
import { aRequest, aWorld } from '../../../test/support/request.ts';
import { run } from '../fn.ts';

async function refused(request: Request): Promise<SlipwayError> {
  try {
    await run(request, aWorld());
  } catch (thrown) {
    if (thrown instanceof SlipwayError) return thrown;
    throw thrown;
  }
  throw new Error('it was not refused');
}

describe('claims that are refused', async () => {
  const made = {
    k3s: await aBootstrappedCluster({ spec: { bootstrap: { provider: 'k3s', config: { disable: ['traefik'] } } } }),
    rke2: await aBootstrappedCluster({ spec: { bootstrap: { provider: 'rke2' } } }),
  };
  const cluster = (provider: string, config: JsonObject) =>
    aRequest({ composite: aCluster({ spec: { bootstrap: { provider, config } }, status: {} }) });
  const worker = (provider: 'k3s' | 'rke2', config: JsonObject, spec: JsonObject = {}) =>
    machineRequest(made[provider], machineOf('worker', spec, config, provider));
  const registries = (...certificates: readonly string[]) =>
    certificates.map((caCertificate, index) => ({
      host: `r${index}.example.com`,
      mirrors: ['https://mirror.example.com'],
      caCertificate,
    }));
  const cases: readonly { readonly name: string; readonly given: Request }[] = [
    {
      name: 'an unknown key, which k3s would only report as a warning',
      given: cluster('k3s', { 'disable-traefik': true }),
    },
    { name: 'a key of RKE2 for k3s', given: cluster('k3s', { cni: ['canal'] }) },
    { name: 'a key of k3s for RKE2', given: cluster('rke2', { 'flannel-backend': 'none' }) },
    { name: 'a value that is not a list', given: cluster('k3s', { disable: 'traefik' }) },
    { name: 'a token', given: cluster('k3s', { token: 'fakefakefakefake' }) },
    { name: 'credentials of S3', given: cluster('rke2', { 'etcd-s3-secret-key': 'fakefakefakefake' }) },
    { name: 'a block of addresses', given: cluster('k3s', { 'cluster-cidr': '10.42.0.0/16' }) },
    { name: 'a label', given: worker('k3s', { disable: ['traefik'], 'node-label': ['a=b'] }) },
    { name: 'a release of the other distribution', given: cluster('rke2', { release: 'k3s1' }) },
    { name: 'an installer without TLS', given: cluster('k3s', { installer: { url: 'http://get.example.com' } }) },
    { name: 'a pool that would change all servers', given: worker('k3s', { disable: [] }) },
    { name: 'a pool that would change some servers', given: worker('rke2', { 'kube-apiserver-arg': ['v=2'] }) },
    { name: 'labels as flags of kubelet', given: worker('rke2', { 'kubelet-arg': ['v=2', '--node-labels=a=b'] }) },
    {
      name: 'a registry that is listed twice',
      given: worker(
        'k3s',
        { disable: ['traefik'] },
        {
          provisioning: { registries: [...registries(CERTIFICATE), ...registries(CERTIFICATE)] },
        },
      ),
    },
    {
      name: 'a mirror with two certificates',
      given: worker('rke2', {}, { provisioning: { registries: registries(CERTIFICATE, `${CERTIFICATE}\n`) } }),
    },
  ];
  const lines: string[] = [];

  test.for(cases)('$name', async ({ name, given }) => {
    const { code, message } = await refused(given);
    expect(code).toBe('InvalidClaim');
    expect(message).not.toContain('fakefake');
    lines.push(`${name}\n  ${message}\n`);
  });

  test('reports each in one line that says what to do', async () => {
    expect(lines).toHaveLength(cases.length);
    await expect(lines.join('')).toMatchFileSnapshot('golden/refusals.txt');
  });

  test('a pool may set what affects only its own nodes', async () => {
    const reply = (await run(worker('rke2', { 'kubelet-arg': ['max-pods=20'], profile: 'cis' }), aWorld())).build();
    expect(reply.context).toHaveProperty(['slipway.dev/bootstrap-plan']);
  });
});
