/** Two claims that differ only in the selector use two different Compositions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../binaries/find.ts';
import { until } from '../lab/waiting.ts';
import { allHealthy, install, PACKAGES } from '../packages/install.ts';
import { minimalFlavour } from '../packages/providers.ts';
import { type Case, hold } from './case.ts';
import { TEAM, clusterRef, compositionOf, documents } from './scene.ts';

export const swapCase: Case = {
  name: 'swap',
  after: ['claim'],
  async run(lab) {
    const file = join(lab.folder, 'packages/minimal.xpkg');
    writeFileSync(file, await minimalFlavour(join(ROOT, 'test/e2e/flavours/minimal')));
    await lab.registry.push(file, 'slipway/configuration-slipway-minimal:v0.1.0');
    await install(lab.binaries.crossplane, lab.kubernetes.kubeconfig, 'configuration-slipway-minimal', 'v0.1.0');
    await allHealthy(lab.api, PACKAGES + 1, 60);
    const [claim] = documents('examples/aws/cluster.yaml');
    hold('the example has a Cluster', claim?.kind === 'Cluster');
    const text = JSON.stringify({ ...claim, metadata: { ...claim?.metadata, name: 'swapped' } });
    await lab.api.apply(JSON.parse(text.replace('"slipway.dev/flavor":"aws"', '"slipway.dev/flavor":"minimal"')));
    await until('the minimal flavour makes its certificates', { seconds: 60 }, async () => {
      const ca = await lab.api.find({ apiVersion: 'v1', kind: 'Secret', namespace: TEAM, name: 'swapped-ca' });
      return ca === undefined ? { yet: 'no Secret swapped-ca' } : { found: true };
    });
    const compositions = await Promise.all(
      ['prod', 'swapped'].map(async (name) => compositionOf(await lab.api.get(clusterRef(name)))),
    );
    hold('two compositions', compositions.join() === 'clusters.aws.slipway.dev,clusters.minimal.slipway.dev');
    const networks = await lab.api.list({ apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'VPC', namespace: TEAM });
    hold('one of them made a network', networks.length === 1, String(networks.length));
    await lab.api.delete(clusterRef('swapped'));
    await until('it goes without a trace', { seconds: 60 }, async () => {
      const ca = await lab.api.find({ apiVersion: 'v1', kind: 'Secret', namespace: TEAM, name: 'swapped-ca' });
      return ca === undefined ? { found: true } : { yet: 'Secret swapped-ca is still there' };
    });
    return 'aws and minimal';
  },
};
