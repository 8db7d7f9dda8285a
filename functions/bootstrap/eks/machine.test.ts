import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { at, type JsonObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import {
  anEksCluster,
  anEksMachine,
  EKS_AUTHORITY,
  EKS_PROVIDERS,
  type EksProvider,
  eksStatus,
} from '../../../test/support/eks.ts';
import { REGISTRIES } from '../../../test/support/everything.ts';
import { EVERY_BOTTLEROCKET } from '../bottlerocket/everything.fixture.ts';
import { EVERY_NODEADM } from '../nodeadm/everything.fixture.ts';
import { machineRequest } from '../../../test/support/first-boot.ts';
import { expectNeverSmaller, expectOrderBlind, expectPure, replyOf } from '../../../test/support/function-laws.ts';
import { BottlerocketConfig } from '../bottlerocket/config.ts';
import { run } from '../fn.ts';
import { NodeadmConfig } from '../nodeadm/config.ts';

const EVERYTHING: Readonly<Record<EksProvider, JsonObject>> = {
  nodeadm: EVERY_NODEADM,
  bottlerocket: EVERY_BOTTLEROCKET,
};

const MARKS: JsonObject = {
  labels: { 'example.com/team': 'blue', tier: '', 'node-role.kubernetes.io/worker': '' },
  taints: [
    { key: 'dedicated', value: 'blue', effect: 'NoSchedule' },
    { key: 'dedicated', effect: 'NoExecute' },
  ],
};

interface Wanted {
  readonly spec?: JsonObject;
  readonly config?: JsonObject;
  readonly clusterSpec?: JsonObject;
  readonly status?: JsonObject;
}

const requestOf = (provider: EksProvider, { spec, config, clusterSpec, status }: Wanted = {}) =>
  machineRequest(
    anEksCluster(provider, { ...(clusterSpec && { spec: clusterSpec }), ...(status && { status }) }),
    anEksMachine(provider, spec, config),
  );

async function planOf(provider: EksProvider, wanted?: Wanted): Promise<BootstrapPlan> {
  const reply = await replyOf(run, requestOf(provider, wanted));
  return BootstrapPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
}

describe.for(EKS_PROVIDERS)('a node by %s', (provider) => {
  const golden = (name: string): string => join(import.meta.dirname, `golden/${provider}-${name}.yaml`);

  test('has its cluster and nothing else, when its claim says nothing more', async () => {
    await expect(stringify(await planOf(provider), { lineWidth: 0 })).toMatchFileSnapshot(golden('worker'));
  });

  test('has everything a claim can say', async () => {
    const registries = provider === 'nodeadm' ? REGISTRIES : [];
    const spec = { ...MARKS, provisioning: { format: provider, registries } };
    const plan = await planOf(provider, { spec, config: EVERYTHING[provider] });
    await expect(stringify(plan, { lineWidth: 0 })).toMatchFileSnapshot(golden('everything'));
  });

  test('holds no secret: neither token nor key', async () => {
    const text = JSON.stringify(await planOf(provider, { config: EVERYTHING[provider] }));
    expect(text).not.toMatch(/PRIVATE KEY|[a-z0-9]{6}\.[a-z0-9]{16}\b/);
    expect((await replyOf(run, requestOf(provider))).requirements.size, 'only its Cluster is requested').toBe(1);
  });

  test('has the domain of the cluster, which EKS nodes cannot know by themselves', async () => {
    const network = { dnsDomain: 'prod.example.com' };
    expect(JSON.stringify(await planOf(provider, { clusterSpec: { network } }))).toContain('prod.example.com');
    expect(JSON.stringify(await planOf(provider))).not.toMatch(/clusterDomain|cluster-domain/);
  });

  test('the laws of every function hold', async () => {
    const request = requestOf(provider, { spec: MARKS, config: EVERYTHING[provider] });
    await expectPure(run, request);
    await expectOrderBlind(run, request);
    await expectNeverSmaller(run, request);
  });

  test.for([
    {
      name: 'its endpoint',
      field: 'controlPlaneEndpoint',
      want: 'waiting for the control-plane endpoint of Cluster "prod"',
    },
    {
      name: 'its authority',
      field: 'certificateAuthority',
      want: 'waiting for status.certificateAuthority of Cluster "prod", which its nodes trust',
    },
    {
      name: 'its control plane',
      field: 'controlPlane',
      want: 'waiting for the control plane of Cluster "prod" to be initialized',
    },
  ])('has no plan while the cluster has not reported $name, and a condition says why', async ({ field, want }) => {
    const { [field]: _left, ...status } = eksStatus();
    expect(saidBy(await replyOf(run, requestOf(provider, { status })))).toEqual({ ready: 'False', plan: false, want });
  });
});

function saidBy({ conditions, compositeReady, context }: ReplyData): JsonObject {
  const condition = conditions.find(({ type }) => type === 'BootstrapConfigReady');
  return {
    ready: compositeReady,
    plan: context['slipway.dev/bootstrap-plan'] !== undefined,
    want: condition?.message ?? null,
  };
}

test('there is a made-up value for every field', () => {
  const keysOf = (value: unknown) => Object.keys(value as JsonObject).toSorted();
  expect(keysOf(EVERY_NODEADM)).toEqual(keysOf(NodeadmConfig.shape));
  expect(keysOf(EVERY_BOTTLEROCKET)).toEqual(keysOf(BottlerocketConfig.shape));
  const { innerType: kubernetes } = BottlerocketConfig.shape.kubernetes.def;
  expect(keysOf(EVERY_BOTTLEROCKET['kubernetes'])).toEqual(keysOf(kubernetes.shape));
});

describe('addresses', () => {
  test.for([
    { services: '10.96.0.0/12', want: '10.96.0.10' },
    { services: '172.20.0.0/16', want: '172.20.0.10' },
    { services: 'fd12:3456:789a::/108', want: 'fd12:3456:789a::a' },
  ])('the DNS Service in $services has the address $want', async ({ services, want }) => {
    const plan = await planOf('bottlerocket', {
      clusterSpec: { network: { services, pods: '10.200.0.0/16', nodes: '10.1.0.0/16' } },
    });
    expect(at(plan, 'settings', 'kubernetes', 'cluster-dns-ip')).toBe(want);
  });

  test.for([
    { host: 'api.example.com', port: 443, want: 'https://api.example.com' },
    { host: 'api.example.com', port: 6443, want: 'https://api.example.com:6443' },
    { host: '2001:db8::1', port: 443, want: 'https://[2001:db8::1]' },
  ])('the API at $host, port $port, is $want', async ({ host, port, want }) => {
    const status = { ...eksStatus(), controlPlaneEndpoint: { host, port } };
    expect(at(await planOf('nodeadm', { status }), 'config', 'spec', 'cluster', 'apiServerEndpoint')).toBe(want);
  });

  test('the authority is passed on as EKS reports it', async () => {
    expect(at(await planOf('nodeadm'), 'config', 'spec', 'cluster', 'certificateAuthority')).toBe(EKS_AUTHORITY);
  });
});
