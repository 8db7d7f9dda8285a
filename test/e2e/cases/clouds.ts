/**
 * A case for each flavour but the first, which the other suites are about: its package is installed, the claims of its
 * example become Ready, a pool grows, and in the end nothing is left.
 */
import { readdirSync } from 'node:fs';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { NODE_API_VERSION, USAGE_API_VERSION } from '#lib/api/words.ts';
import { writtenKinds } from '#simulator/cloud-stand-in.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Lab } from '../lab/lab.ts';
import { VERSION } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { allHealthy, install, packagesOf, rewrite, settings } from '../packages/install.ts';
import { type Case, hold } from './case.ts';
import {
  clusterRef,
  compositionOf,
  documents,
  isReady,
  machinesOf,
  nameOf,
  namespace,
  poolSettles,
  SLIPWAY,
  TEAM,
} from './scene.ts';

const LIMIT_SECONDS = 400;
const CONFIGURATION = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Configuration' } as const;
const NAME = /configuration-slipway-(?<flavour>[a-z]+)$/;
const POOLS = { 'prod-general': 3, 'prod-memory': 2, 'prod-control-plane': 3 } as const;

export const cloudCases: readonly Case[] = ['azure', 'existing', 'gcp'].map((flavour) => ({
  name: flavour,
  counted: true,
  async run(lab, log) {
    await installed(lab, flavour);
    const claims = exampleOf(flavour);
    await lab.api.apply(...claims);
    for (const [pool, replicas] of Object.entries(POOLS)) await poolSettles(lab, pool, replicas, LIMIT_SECONDS);
    await until('the Cluster is Ready', { seconds: 120 }, async () => {
      const cluster = await lab.api.get(clusterRef('prod'));
      return isReady(cluster) ? { found: true } : { yet: JSON.stringify(cluster.status?.['conditions']) };
    });
    const composition = compositionOf(await lab.api.get(clusterRef('prod')));
    hold('its Composition is chosen', composition === `clusters.${flavour}.slipway.dev`, composition);
    log(`${(await machinesOf(lab)).length} machines Ready`);

    await lab.kubectl('-n', TEAM, 'scale', 'nodepool.slipway.dev/prod-general', '--replicas=4');
    await poolSettles(lab, 'prod-general', 4, LIMIT_SECONDS);
    const { violations } = lab.cloud.front;
    hold('the cloud saw nothing impossible', violations.length === 0, violations.join());

    log('a pool grew');

    await deleted(lab);
    await hostsAreLeft(lab, claims);
    return `1 Cluster, 3 NodePools, 9 Machines from configuration-slipway-${flavour}, and then nothing`;
  },
}));

/** Beside the flavours of earlier cases. */
async function installed(lab: Lab, flavour: string): Promise<void> {
  await lab.api.apply(namespace(TEAM), ...rewrite(lab.registry), ...settings(lab.registry));
  await lab.api.apply(...documents('docs/install/provider-node.yaml'));
  await install(lab.binaries.crossplane, lab.kubernetes.kubeconfig, `configuration-slipway-${flavour}`, VERSION);
  const names = (await lab.api.list(CONFIGURATION)).map(nameOf);
  const flavours = names.flatMap((name) => NAME.exec(name)?.groups?.['flavour'] ?? []);
  await allHealthy(lab.api, packagesOf(...new Set([...flavours, flavour])), 240);
}

function exampleOf(flavour: string): readonly KubeObject[] {
  const folder = `examples/${flavour}`;
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.flatMap((file) => documents(`${folder}/${file}`));
}

/** Pools before their Cluster, which is in use until its last worker is drained. */
async function deleted(lab: Lab): Promise<void> {
  for (const pool of ['prod-general', 'prod-memory'])
    await lab.kubectl('-n', TEAM, 'delete', 'nodepool.slipway.dev', pool, '--wait=false');
  await until('the Cluster may be deleted', { seconds: LIMIT_SECONDS, every: 1000 }, async () => {
    try {
      await lab.kubectl('-n', TEAM, 'delete', 'cluster.slipway.dev', 'prod', '--wait=false');
      return { found: true };
    } catch (thrown) {
      return { yet: String(thrown) };
    }
  });
  await until('nothing is left behind', { seconds: LIMIT_SECONDS, every: 1000 }, async () => {
    const left = await leftIn(lab);
    return left.length === 0 ? { found: true } : { yet: `${left.length} left: ${left.slice(0, 5).join(', ')}` };
  });
  hold('the cloud is empty', lab.cloud.front.size === 0, lab.cloud.front.left.slice(0, 5).join(', '));
}

async function leftIn({ api }: Lab): Promise<readonly string[]> {
  const kinds = [
    ...writtenKinds(SIMULATED_CLOUDS),
    ...['Cluster', 'NodePool', 'Machine'].map((kind) => ({ apiVersion: SLIPWAY, kind })),
    { apiVersion: NODE_API_VERSION, kind: 'HostClaim' },
    { apiVersion: USAGE_API_VERSION, kind: 'Usage' },
  ];
  const lists = await Promise.all(kinds.map((kind) => api.list({ ...kind, namespace: TEAM })));
  return lists.flat().map((object) => `${object.kind}/${nameOf(object)}`);
}

/** What somebody else owns is there as before. */
async function hostsAreLeft({ api }: Lab, claims: readonly KubeObject[]): Promise<void> {
  const written = claims.filter(({ kind }) => kind === 'Host').map(nameOf);
  const found = await api.list({ apiVersion: NODE_API_VERSION, kind: 'Host', namespace: TEAM });
  const names = found.map(nameOf);
  hold(
    'every Host is still there',
    written.every((name) => names.includes(name)),
    names.join(),
  );
}
