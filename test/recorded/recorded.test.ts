/**
 * Recorded states of earlier releases: this release plans no change for them. So an upgraded function replaces, patches
 * and updates no machine. To record a state for a release: `slipway simulate examples/aws --save FILE`, XRs only.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { isJsonObject, type KubeObject } from '#lib/api/json.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { planClaims } from '../../cli/plan/plan-claims.ts';
import { inProcess } from '../support/in-process.ts';

const releases = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'));

describe('the recorded state of an earlier release', () => {
  test.for(releases)('is not changed: %s', async (file) => {
    const objects = readObjects([join(import.meta.dirname, file)]);
    expect(await planned(objects, objects.filter(isClaim))).toEqual([]);
  });

  it.for(releases)('is not changed by claims that leave out what had a default: %s', async (file) => {
    const objects = readObjects([join(import.meta.dirname, file)]);
    const bare = objects.filter(isClaim).map(withoutAccess);
    expect(bare).not.toEqual(objects.filter(isClaim));
    expect(await planned([...objects, OPEN_TO_EVERYONE], bare)).toEqual([]);
  });

  it('would be changed if something differed, otherwise this test proves nothing', async () => {
    const objects = readObjects([join(import.meta.dirname, releases[0]!)]);
    const pools = objects.filter(({ kind, spec }) => kind === 'NodePool' && spec?.['role'] !== 'control-plane');
    const edited = pools.map((pool) => ({ ...pool, spec: { ...pool.spec, labels: { team: 'a' } } }));
    expect((await planned(objects, edited)).length).toBeGreaterThan(0);
  });
});

function isClaim({ kind, metadata }: KubeObject): boolean {
  return kind === 'Cluster' || (kind === 'NodePool' && metadata?.['ownerReferences'] === undefined);
}

/** Composed by the Cluster of the example; a recorded state has XRs only. */
const OPEN_TO_EVERYONE: KubeObject = {
  apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
  kind: 'SecurityGroupIngressRule',
  metadata: {
    name: 'prod-ingress-apiserver-lb-api-0.0.0.0-0',
    namespace: 'team-a',
    annotations: { 'crossplane.io/composition-resource-name': 'ingress-apiserver-lb-api-0.0.0.0-0' },
  },
  spec: {
    forProvider: { region: 'eu-west-1', cidrIpv4: '0.0.0.0/0', fromPort: 6443, toPort: 6443, ipProtocol: 'tcp' },
  },
};

/** A file whose author relied on the defaults: the API was internet-facing and open to everyone. */
function withoutAccess(claim: KubeObject): KubeObject {
  const controlPlane = claim.spec?.['controlPlane'];
  if (!isJsonObject(controlPlane)) return claim;
  const { scheme: _scheme, allowedCIDRs: _blocks, ...rest } = controlPlane;
  return { ...claim, spec: { ...claim.spec, controlPlane: rest } };
}

function planned(objects: readonly KubeObject[], claims: readonly KubeObject[]) {
  const world = {
    objects,
    definitions: definitions(),
    compositions: compositions(),
    functions: inProcess,
    now: new Date('2026-02-01T00:00:00Z'),
  };
  return planClaims(world, claims);
}
