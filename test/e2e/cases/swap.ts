/** Two claims that differ only in the selector become two clusters on two clouds, each Ready, and one leaves no trace. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { cloudKinds } from '#simulator/cloud-stand-in.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { allHealthy, install, packagesOf } from '../packages/install.ts';
import { type Case, hold } from './case.ts';
import { SLIPWAY, TEAM, clusterRef, compositionOf, documents, isGoing, isReady, machinesOf } from './scene.ts';

const NAME = 'swapped';
const OTHER = 'gcp';
const LIMIT_SECONDS = 300;
const machineKind = { apiVersion: SLIPWAY, kind: 'Machine', namespace: TEAM };

export const swapCase: Case = {
  name: 'swap',
  after: ['claim'],
  async run(lab) {
    await install(lab.binaries.crossplane, lab.kubernetes.kubeconfig, `configuration-slipway-${OTHER}`, 'v0.1.0');
    await allHealthy(lab.api, packagesOf('aws', OTHER), 120);
    const before = await until('nothing of the first cloud is going', { seconds: LIMIT_SECONDS }, async () => {
      const [objects, machines] = [await ofCloud(lab, 'aws'), await lab.api.list(machineKind)];
      const uids = new Set(machines.map(({ metadata }) => metadata?.uid));
      const going = objects.filter((object) => isGoing(object) || belongedToMachine(object, uids));
      return going.length === 0 ? { found: objects } : { yet: `${going.length} objects` };
    });
    await lab.api.apply(swapped());
    await until('the Cluster on the other cloud is Ready', { seconds: LIMIT_SECONDS }, async () => {
      const cluster = await lab.api.get(clusterRef(NAME));
      return isReady(cluster) ? { found: true } : { yet: JSON.stringify(cluster.status?.['conditions']) };
    });
    const compositions = await Promise.all(
      ['prod', NAME].map(async (name) => compositionOf(await lab.api.get(clusterRef(name)))),
    );
    hold('two Compositions', compositions.join() === 'clusters.aws.slipway.dev,clusters.gcp.slipway.dev');
    const machines = (await machinesOf(lab, `${NAME}-control-plane`)).length;
    hold('it has three machines', machines === 3, String(machines));
    const kinds = new Set((await ofCloud(lab, OTHER)).map(({ kind }) => kind));
    hold(
      'the other cloud made a network, a load balancer and machines',
      ['Network', 'ForwardingRule', 'Instance'].every((kind) => kinds.has(kind)),
      [...kinds].join(),
    );
    const uids = async () => (await ofCloud(lab, 'aws')).map(({ metadata }) => metadata?.uid ?? '').toSorted();
    const known = before.map(({ metadata }) => metadata?.uid ?? '').toSorted();
    hold('the first cloud made and lost nothing', (await uids()).join() === known.join());
    await lab.api.delete(clusterRef(NAME));
    await until('it goes without a trace', { seconds: LIMIT_SECONDS }, async () => {
      const left = await ofCloud(lab, OTHER);
      const ca = await lab.api.find({ apiVersion: 'v1', kind: 'Secret', namespace: TEAM, name: `${NAME}-ca` });
      const names = left.map(({ kind, metadata }) => `${kind} ${metadata?.name ?? ''}`);
      const all = ca === undefined ? names : [...names, `Secret ${NAME}-ca`];
      return all.length === 0 ? { found: true } : { yet: all.slice(0, 5).join() };
    });
    hold('the first cloud still has everything', (await uids()).join() === known.join());
    return `aws and ${OTHER}: ${machines} machines on the second`;
  },
};

/** Of a case before this one. */
function belongedToMachine({ metadata }: KubeObject, machines: ReadonlySet<string | undefined>): boolean {
  const owners = (metadata?.['ownerReferences'] ?? []) as readonly { readonly kind: string; readonly uid: string }[];
  return owners.some(({ kind, uid }) => kind === 'Machine' && !machines.has(uid));
}

/** The claim of the example under another name, and with another selector. */
function swapped(): KubeObject {
  const [claim] = documents('examples/aws/cluster.yaml');
  hold('the example has a Cluster', claim?.kind === 'Cluster');
  const text = JSON.stringify({ ...claim, metadata: { ...claim?.metadata, name: NAME } });
  return JSON.parse(text.replace('"slipway.dev/flavor":"aws"', `"slipway.dev/flavor":"${OTHER}"`)) as KubeObject;
}

/** Every managed resource of a cloud that there is. */
async function ofCloud({ api }: Lab, name: string): Promise<readonly KubeObject[]> {
  const kinds = cloudKinds(SIMULATED_CLOUDS.filter((cloud) => cloud.name === name)).filter(
    ({ apiVersion }) => apiVersion !== 'v1',
  );
  return (await Promise.all(kinds.map((kind) => api.list({ ...kind, namespace: TEAM })))).flat();
}
