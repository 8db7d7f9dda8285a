import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster } from '../../../test/support/claims.ts';
import { machineRequest } from '../../../test/support/first-boot.ts';
import { aRequest } from '../../../test/support/request.ts';
import { refusedWith } from '../plans.fixture.ts';
import { clusterOf, k0sMachine, requestOf } from './k0s.fixture.ts';

const cluster = (config: JsonObject) =>
  aRequest({ composite: aCluster({ spec: { bootstrap: { provider: 'k0s', config } }, status: {} }) });
const worker = (poolConfig: JsonObject, spec: JsonObject = {}) => requestOf('worker', { poolConfig, spec });

describe('what k0s does not support', async () => {
  const old = await clusterOf({}, 'v1.26.15');
  const cases: readonly { readonly name: string; readonly given: Request; readonly code: string }[] = [
    { name: 'an unknown field', given: cluster({ konnectivity: {} }), code: 'InvalidClaim' },
    {
      name: 'blocks of the network, which are fields of the Cluster',
      given: cluster({ network: { podCIDR: '10.0.0.0/8' } }),
      code: 'InvalidClaim',
    },
    {
      name: 'settings of a network provider that is not used',
      given: cluster({ network: { provider: 'calico', kuberouter: {} } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a load balancer on each worker, beside which k0s accepts no endpoint',
      given: cluster({ network: { nodeLocalLoadBalancing: { enabled: true } } }),
      code: 'InvalidClaim',
    },
    { name: 'a store that is not etcd', given: cluster({ storage: { kine: {} } }), code: 'InvalidClaim' },
    {
      name: 'a flag with dashes',
      given: cluster({ api: { extraArgs: { '--profiling': 'off' } } }),
      code: 'InvalidClaim',
    },
    { name: 'an invalid release', given: cluster({ release: 'v1.35.4+k0s.0' }), code: 'InvalidClaim' },
    { name: 'a download without TLS', given: cluster({ download: { url: 'http://x' } }), code: 'InvalidClaim' },
    {
      name: 'an invalid checksum',
      given: cluster({ download: { sha256: { amd64: 'abc' } } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a flag of kubelet that is two words',
      given: await worker({ kubelet: { extraArgs: { 'node-ip': '10.0.0.1 --anonymous-auth=true' } } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a label as a flag of kubelet',
      given: await worker({ kubelet: { extraArgs: { 'node-labels': 'a=b' } } }),
      code: 'InvalidClaim',
    },
    {
      name: 'settings of CoreDNS, which older releases do not have',
      given: await requestOf('init', { config: { network: { coreDNS: { replicas: 2 } } } }),
      code: 'Unsupported',
    },
    {
      name: 'a profile that the cluster does not have',
      given: await worker({ profile: 'dense' }),
      code: 'InvalidClaim',
    },
    {
      name: 'a pool that would change the whole cluster',
      given: await worker({ network: { provider: 'calico' } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a version older than any supported k0s',
      given: machineRequest(old, k0sMachine('worker', {}, { version: 'v1.26.15' })),
      code: 'Unsupported',
    },
    {
      name: 'a registry that is listed twice',
      given: await worker(
        {},
        {
          provisioning: {
            registries: [
              { host: 'docker.io', mirrors: ['https://a.example.com'] },
              { host: 'docker.io', mirrors: ['https://b.example.com'] },
            ],
          },
        },
      ),
      code: 'InvalidClaim',
    },
  ];
  const lines: string[] = [];

  test.for(cases)('$name', async ({ name, given, code }) => {
    const error = await refusedWith(given);
    expect(error.code).toBe(code);
    lines.push(`${name}\n  ${error.code}: ${error.message}\n`);
  });

  test('reports each in one line that says what to do', async () => {
    expect(lines).toHaveLength(cases.length);
    await expect(lines.join('')).toMatchFileSnapshot('golden/refusals.txt');
  });
});
