/** A Cluster and a pool that have more first-boot data than the cloud takes are told so in the same words. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import type { PlanWorld } from '../../cli/plan/world.ts';
import { judge, lineOf } from '../../cli/validate/findings.ts';
import { inProcess } from '../support/in-process.ts';

const world: PlanWorld = {
  objects: [],
  definitions: definitions(),
  compositions: compositions(),
  functions: inProcess,
  now: new Date(0),
};

/** Files of bytes that no compression makes fewer. */
function files(folder: string, bytes: number): readonly JsonObject[] {
  const each = 4000;
  return Array.from({ length: Math.ceil(bytes / each) }, (_, file) => {
    const blocks = Array.from({ length: each / 32 }, (_, n) =>
      createHash('sha256').update(`${folder} ${file} ${n}`).digest(),
    );
    return { path: `${folder}/${file}`, content: Buffer.concat(blocks).toString('base64'), encoding: 'base64' };
  });
}

const claim = (cloud: string, kind: string, name: string, spec: JsonObject): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name, namespace: 'team-a' },
  spec: { crossplane: { compositionSelector: { matchLabels: { 'slipway.dev/flavor': cloud } } }, ...spec },
});

test.for([
  { cloud: 'aws', bytes: 80_000, store: 'Secrets Manager', limit: 65_536 },
  { cloud: 'azure', bytes: 240_000, store: 'Key Vault', limit: 150_000 },
  { cloud: 'gcp', bytes: 80_000, store: 'Secret Manager', limit: 65_536 },
])('$cloud: a Cluster and a pool that are too large', async ({ cloud, bytes, store, limit }) => {
  const machine = { class: 'standard-2' };
  const fields = { version: 'v1.35.4', region: 'eu-west', controlPlane: { machine } };
  const good = claim(cloud, 'Cluster', 'prod', fields);
  const cluster = claim(cloud, 'Cluster', 'prod', { ...fields, provisioning: { files: files('/opt/a', bytes) } });
  const pool = claim(cloud, 'NodePool', 'general', {
    clusterRef: { name: 'prod' },
    machine,
    provisioning: { files: files('/opt/b', bytes) },
  });
  const line = `first-boot data has at least N bytes gzipped, and ${store} accepts ${limit}: remove at least N bytes, for example put large files into the image, or fetch them in commands.pre`;
  const ofCluster = `cannot accept Cluster "team-a/prod": spec.provisioning: ${line}`;
  expect(await refused([good, pool])).toEqual([`cannot accept NodePool "team-a/general": spec.provisioning: ${line}`]);
  const sharing = (ofCluster: number, ofPool: number) => [
    claim(cloud, 'Cluster', 'prod', { ...fields, provisioning: { files: files('/opt/a', ofCluster) } }),
    claim(cloud, 'NodePool', 'general', {
      clusterRef: { name: 'prod' },
      machine,
      provisioning: { files: files('/opt/b', ofPool) },
    }),
  ];
  const [large, small] = [Math.floor(limit * 0.55), Math.floor(limit * 0.5)];
  expect(await refused(sharing(large, small)), 'who says more').toEqual([
    `cannot accept NodePool "team-a/general": spec.provisioning of Cluster "team-a/prod": ${line}`,
  ]);
  expect(await refused(sharing(small, large)), 'who says more').toEqual([
    `cannot accept NodePool "team-a/general": spec.provisioning: ${line}`,
  ]);
  expect(await refused([cluster, pool]), 'a pool is not judged by a Cluster that is refused').toEqual([ofCluster]);
});

/** How many bytes it is depends on the gzip of Node. */
async function refused(claims: readonly KubeObject[]): Promise<readonly string[]> {
  const verdict = await judge(world, claims);
  return verdict.refused.map((one) => lineOf(one).replaceAll(/at least [0-9]+ bytes/g, 'at least N bytes'));
}
