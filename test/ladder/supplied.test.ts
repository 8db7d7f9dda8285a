/**
 * A cluster with a supplied authority and an external etcd, in Secrets of Cluster API: it waits for what is supplied,
 * reads it, and never changes it.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { type Engine } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { newIssuer } from '../support/authority.ts';
import { anEtcd, EXTERNAL_ETCD, suppliedSecret } from '../support/external-etcd.ts';
import { installedEngine } from '../support/example.ts';

let engine: Engine;
let supplied: readonly KubeObject[] = [];
const list = (kind: string, apiVersion = 'slipway.dev/v1alpha1'): readonly KubeObject[] =>
  engine.list({ apiVersion, kind });
const reasonOf = (): string | undefined => conditionOf(list('Cluster')[0], 'CertificatesAvailable')?.reason;
const secretOf = (name: string): KubeObject | undefined =>
  list('Secret', 'v1').find((one) => one.metadata?.name === name);

async function until(what: string, holds: () => boolean): Promise<void> {
  expect((await engine.runUntil(holds, { limitSeconds: 3600 })).reached, what).toBe(true);
}

beforeAll(async () => {
  const corp = await newIssuer('corp', 'ECDSA');
  supplied = [
    ...Object.values(await anEtcd()),
    suppliedSecret('prod-ca', { 'tls.crt': corp.cert, 'tls.key': corp.key }),
  ];
  engine = installedEngine();
  const claim = readObjects([join(ROOT, 'examples/aws/cluster.yaml')]).find(({ kind }) => kind === 'Cluster');
  const controlPlane = { ...(at(claim, 'spec', 'controlPlane') as JsonObject), replicas: 1 };
  engine.apply({ ...claim!, spec: { ...claim!.spec, controlPlane, bootstrap: { config: EXTERNAL_ETCD } } });
  engine.apply(supplied[2]!);
});

describe('a cluster with a supplied authority and an external etcd, step by step', () => {
  it('1: waits for what it cannot create, and creates no machine', async () => {
    await until('the condition', () => reasonOf() === 'WaitingForSecret');
    expect(list('Machine')).toEqual([]);
  });

  it('2: goes on once that is supplied, until its control plane is ready', async () => {
    for (const secret of supplied.slice(0, 2)) engine.apply(secret);
    await until('Ready', () => conditionOf(list('Cluster')[0], 'Ready')?.status === 'True');
    expect(stringAt(list('Cluster')[0], 'status', 'certificates', 'etcd')).toBe('External');
  });

  it('3: has not changed the supplied Secrets, and not adopted them', () => {
    for (const secret of supplied) {
      const found = secretOf(secret.metadata?.name ?? '');
      expect(found?.['data']).toEqual(secret['data']);
      expect(found?.metadata?.['ownerReferences'] ?? []).toEqual([]);
    }
  });

  it('4: counts no member of etcd', () => {
    const nodes = list('WorkloadNode', 'node.slipway.dev/v1alpha1');
    expect(nodes.map((node) => at(node, 'spec', 'membership'))).toEqual([undefined]);
  });

  it('5: allows to remove the key, and stays ready', async () => {
    const { 'tls.crt': cert } = supplied[2]!['data'] as JsonObject;
    engine.apply({ ...supplied[2]!, data: { 'tls.crt': cert! } });
    await until('KeyElsewhere', () => reasonOf() === 'KeyElsewhere');
    await engine.runUntil(() => false, { limitSeconds: 1800 });
    expect(conditionOf(list('Cluster')[0], 'Ready')?.status).toBe('True');
    expect(list('Machine')).toHaveLength(1);
  });
});
