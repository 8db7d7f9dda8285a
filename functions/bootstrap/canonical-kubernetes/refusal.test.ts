import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster } from '../../../test/support/claims.ts';
import { suppliedSecret } from '../../../test/support/external-etcd.ts';
import { machineRequest } from '../../../test/support/first-boot.ts';
import { aRequest } from '../../../test/support/request.ts';
import { refusedWith } from '../plans.fixture.ts';
import { canonicalPlans } from './canonical-kubernetes.fixture.ts';

const { clusterOf, requestOf, machine } = canonicalPlans;

const cluster = (config: JsonObject, spec: JsonObject = {}) =>
  aRequest({
    composite: aCluster({ spec: { ...spec, bootstrap: { provider: 'canonical-kubernetes', config } }, status: {} }),
  });
const handedIn = async (data: Readonly<Record<string, string>>): Promise<Request> => {
  const request = await requestOf('worker');
  const secret = suppliedSecret('prod-worker-0-aaaaa-join-token', data);
  return { ...request, required: new Map([...request.required, ['join-token', [secret]]]) };
};

describe('what Canonical Kubernetes does not support', async () => {
  const made = await clusterOf();
  const cases: readonly { readonly name: string; readonly given: Request; readonly code: string }[] = [
    { name: 'an unknown field', given: cluster({ 'pod-cidr': '10.0.0.0/8' }), code: 'InvalidClaim' },
    { name: 'an unknown feature', given: cluster({ 'cluster-config': { vpn: {} } }), code: 'InvalidClaim' },
    { name: 'an authority in the claim', given: cluster({ 'ca-key': 'HUNTER2' }), code: 'InvalidClaim' },
    {
      name: 'a flag with dashes',
      given: cluster({ 'extra-node-kubelet-args': { '--v': '2' } }),
      code: 'InvalidClaim',
    },
    { name: 'a version whose datastore is not etcd', given: cluster({}, { version: 'v1.33.9' }), code: 'Unsupported' },
    {
      name: 'a domain beside the field of the Cluster',
      given: await requestOf('init', { config: { 'cluster-config': { dns: { 'cluster-domain': 'x.y' } } } }),
      code: 'InvalidClaim',
    },
    {
      name: 'a label as a flag of kubelet',
      given: machineRequest(made, machine('worker', { 'extra-node-kubelet-args': { 'node-labels': 'a=b' } })),
      code: 'InvalidClaim',
    },
    {
      name: 'a pool that would change the whole cluster',
      given: machineRequest(made, machine('worker', { 'extra-sans': ['a.example.com'] })),
      code: 'InvalidClaim',
    },
    { name: 'a join token under another key', given: await handedIn({ value: 'HUNTER2' }), code: 'UnreadableSecret' },
    { name: 'an invalid join token', given: await handedIn({ token: 'HUNTER2' }), code: 'UnreadableSecret' },
  ];
  const lines: string[] = [];

  test.for(cases)('$name', async ({ name, given, code }) => {
    const error = await refusedWith(given);
    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(/HUNTER2/);
    lines.push(`${name}\n  ${error.code}: ${error.message}\n`);
  });

  test('reports each in one line that says what to do', async () => {
    expect(lines).toHaveLength(cases.length);
    await expect(lines.join('')).toMatchFileSnapshot('golden/refusals.txt');
  });
});
