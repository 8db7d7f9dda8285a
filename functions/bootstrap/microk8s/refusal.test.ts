import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster } from '../../../test/support/claims.ts';
import { machineRequest } from '../../../test/support/first-boot.ts';
import { aRequest, aWorld } from '../../../test/support/request.ts';
import { refusedWith } from '../plans.fixture.ts';
import { issueAuthority } from '../pki/issue.ts';
import { microk8sPlans } from './microk8s.fixture.ts';

const { clusterOf, requestOf, machine } = microk8sPlans;

const cluster = (config: JsonObject, spec: JsonObject = {}) =>
  aRequest({ composite: aCluster({ spec: { ...spec, bootstrap: { provider: 'microk8s', config } }, status: {} }) });
const init = (config: JsonObject) => requestOf('init', { config });
const worker = (poolConfig: JsonObject, spec: JsonObject = {}) => requestOf('worker', { poolConfig, spec });

const secretWith = (name: string, data: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'team-a' },
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});

describe('what MicroK8s does not support', async () => {
  const made = await clusterOf();
  const ecdsa = await issueAuthority(aWorld(), 'kubernetes', { algorithm: 'ECDSA-P256' });
  const read = (secrets: Readonly<Record<string, KubeObject>>) =>
    machineRequest({ ...made, secrets: { ...made.secrets, ...secrets } }, machine('worker'));
  const cases: readonly { readonly name: string; readonly given: Request; readonly code: string }[] = [
    { name: 'an unknown field', given: cluster({ join: {} }), code: 'InvalidClaim' },
    { name: 'a token in the claim', given: cluster({ persistentClusterToken: 'HUNTER2' }), code: 'InvalidClaim' },
    { name: 'another algorithm', given: cluster({ encryptionAlgorithm: 'ECDSA-P256' }), code: 'InvalidClaim' },
    { name: 'a flag with dashes', given: cluster({ extraKubeletArgs: { '--v': '2' } }), code: 'InvalidClaim' },
    { name: 'an invalid addon', given: cluster({ addons: [{ name: 'dns; reboot' }] }), code: 'InvalidClaim' },
    { name: 'an unknown risk', given: cluster({ riskLevel: 'risky' }), code: 'InvalidClaim' },
    {
      name: 'another port of the Kubernetes API',
      given: await init({ extraKubeAPIServerArgs: { 'secure-port': '16443' } }),
      code: 'InvalidClaim',
    },
    {
      name: 'blocks of the network, which are fields of the Cluster',
      given: await init({ extraKubeProxyArgs: { 'cluster-cidr': '10.0.0.0/8' } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a label as a flag of kubelet',
      given: await init({ extraKubeletArgs: { 'node-labels': 'a=b' } }),
      code: 'InvalidClaim',
    },
    {
      name: 'the same provider id for all machines',
      given: await init({ extraKubeletArgs: { 'provider-id': 'aws:///a/i-0' } }),
      code: 'InvalidClaim',
    },
    {
      name: 'taints as a flag of kubelet',
      given: await worker({ kubeletConfiguration: { registerWithTaints: [] } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a pool that would change the whole cluster',
      given: await worker({ extraKubeletArgs: { 'max-pods': '20' } }),
      code: 'InvalidClaim',
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
    {
      name: 'a version whose launch configuration has no network settings',
      given: machineRequest(made, machine('worker', {}, { version: 'v1.27.16' })),
      code: 'Unsupported',
    },
    {
      name: 'pods with addresses of IPv6',
      given: cluster({}, { network: { pods: 'fd00::/56', services: 'fd01::/112' } }),
      code: 'Unsupported',
    },
    {
      name: 'another domain of the cluster',
      given: cluster({}, { network: { dnsDomain: 'example.internal' } }),
      code: 'Unsupported',
    },
    {
      name: 'a token of another length',
      given: read({ token: secretWith('prod-jointoken', { value: 'HUNTER2' }) }),
      code: 'UnreadableSecret',
    },
    {
      name: 'an authority that MicroK8s does not accept',
      given: read({ ca: secretWith('prod-ca', { 'tls.crt': ecdsa.cert, 'tls.key': ecdsa.key }) }),
      code: 'UnreadableSecret',
    },
  ];
  const lines: string[] = [];

  test.for(cases)('$name', async ({ name, given, code }) => {
    const error = await refusedWith(given);
    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(/HUNTER2|PRIVATE/);
    lines.push(`${name}\n  ${error.code}: ${error.message}\n`);
  });

  test('reports each in one line that says what to do', async () => {
    expect(lines).toHaveLength(cases.length);
    await expect(lines.join('')).toMatchFileSnapshot('golden/refusals.txt');
  });
});
