/** A cluster as large as Kubernetes supports, of GPU machines whose features are labels, is served like any other. */
import { expect, onTestFinished, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { Budget, LIMITS } from '#lib/kube/budget.ts';
import { REAL_TIME } from '#lib/kube/timing.ts';
import { WorkloadCluster } from '../../controllers/node/workload-cluster.ts';
import { newIssuer } from '../support/authority.ts';
import { type Answering, json, serve } from './hostile/server.ts';
import { merged, nodeObject, workloadNode } from './scene.ts';

const SIZE = { nodes: 5000, labels: 150, images: 50, volumes: 25 } as const;
/** Of one Node, as such clusters have it: its names of images alone are 10 KiB. */
const TEXT = { least: 35_000, most: 45_000 } as const;

test('a cluster of 5,000 Nodes with 150 labels each is not cut off, and takes half of the memory that it may', async () => {
  const issuer = await newIssuer('kubernetes', 'ECDSA');
  const pair = await issuer.issue('api', { ip: ['127.0.0.1'] });
  const server = await serve(pair, listing());
  const budget = new Weighing(REAL_TIME);
  const object = merged(workloadNode({ node: { name: nameOf(4711) }, labels: { 'example.org/pool': 'gpu' } }), {
    status: { marks: { labels: [labelOf(7)] } },
  });
  const cluster = new WorkloadCluster({
    endpoint: { server: server.url, credentials: { ca: issuer.cert } },
    users: [object],
    budget,
    timing: REAL_TIME,
    random: () => 0.5,
    onNode: () => undefined,
    onHealth: () => undefined,
  });
  onTestFinished(async () => {
    await cluster.close();
    server.close();
  });
  await expect.poll(() => cluster.trouble(), { timeout: 60_000 }).toBeUndefined();
  expect(budget.why).toBeUndefined();
  const [node] = cluster.nodesOf(object);
  expect(node?.metadata?.labels, 'what its object sets, and has set').toEqual({
    'example.org/pool': 'gpu',
    [labelOf(7)]: 'true',
  });
  expect(budget.most).toBeGreaterThan(SIZE.nodes * 1000);
  expect(budget.most).toBeLessThan(LIMITS.kept / 2);
}, 120_000);

class Weighing extends Budget {
  /** Bytes. */
  most = 0;

  override keep(owner: object, bytes: number): void {
    this.most = Math.max(this.most, bytes);
    super.keep(owner, bytes);
  }
}

/** Pages as they are asked for; whatever is not a Node is not there. */
function listing(): Answering {
  const text = JSON.stringify(largeNode());
  expect(text.length).toBeGreaterThan(TEXT.least);
  expect(text.length).toBeLessThan(TEXT.most);
  return (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'https://a');
    const isNodes = pathname === '/api/v1/nodes';
    if (query.get('watch') === 'true')
      return response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    if (!isNodes) return json({ kind: 'List', metadata: { resourceVersion: '1' }, items: [] })(request, response);
    const from = Number(query.get('continue') ?? 0);
    const to = Math.min(SIZE.nodes, from + Number(query.get('limit')));
    const items = Array.from({ length: to - from }, (_none, at) => text.replaceAll(nameOf(0), nameOf(from + at)));
    const metadata = { resourceVersion: '1', ...(to < SIZE.nodes ? { continue: String(to) } : {}) };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      `{"kind":"NodeList","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"items":[${items.join()}]}`,
    );
  };
}

function largeNode(): KubeObject {
  const each = <Value>(length: number, made: (at: number) => Value): readonly Value[] =>
    Array.from({ length }, (_none, at) => made(at));
  const labels = Object.fromEntries(each(SIZE.labels, (at) => [labelOf(at), 'true']));
  const name = nameOf(0);
  const node = nodeObject({ labels: { ...labels, 'example.org/pool': 'gpu' } }, false, undefined, name);
  const managed = Object.fromEntries(each(SIZE.labels, (at) => [`f:${labelOf(at)}`, {}]));
  return merged(node, {
    metadata: {
      uid: `6f1c2f6e-0000-4000-8000-${name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      resourceVersion: '1234567890',
      annotations: { 'nfd.node.kubernetes.io/feature-labels': each(SIZE.labels, labelOf).join() },
      managedFields: [{ manager: 'nfd-master', fieldsV1: { 'f:metadata': { 'f:labels': managed } } }],
    },
    spec: {
      providerID: `aws:///eu-west-1a/i-${name}`,
      taints: [{ key: 'nvidia.com/gpu', value: 'true', effect: 'NoSchedule' }],
    },
    status: {
      addresses: ['InternalIP', 'InternalDNS', 'Hostname'].map((type) => ({
        type,
        address: `${name}.compute.internal`,
      })),
      conditions: ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable', 'Ready'].map((type) => ({
        type,
        status: type === 'Ready' ? 'True' : 'False',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        message: 'kubelet has sufficient resources available',
      })),
      images: each(SIZE.images, (at) => ({
        names: [
          `registry.example.org/team/a-service-${at}@sha256:${'0'.repeat(64)}`,
          `registry.example.org/team/a-service-${at}:v1.${at}.0`,
        ],
        sizeBytes: at,
      })),
      volumesAttached: each(SIZE.volumes, (at) => ({
        name: `kubernetes.io/csi/ebs.csi.aws.com^vol-0123456789abcd${at}`,
      })),
      volumesInUse: each(SIZE.volumes, (at) => `kubernetes.io/csi/ebs.csi.aws.com^vol-0123456789abcd${at}`),
    },
  });
}

function labelOf(at: number): string {
  return `feature.node.kubernetes.io/cpu-cpuid.AVX512F${at}`;
}

/** All of a length. */
function nameOf(at: number): string {
  return `ip-10-0-${String(100_000 + at)}`;
}
