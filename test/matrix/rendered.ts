/** First-boot data of a pair, rendered by the functions themselves. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { everyConfig } from '../../functions/bootstrap/everything.fixture.ts';
import { everyCustomisation } from '../../functions/provisioning/everything.fixture.ts';
import { anEksCluster } from '../support/eks.ts';
import { REGISTRIES } from '../support/everything.ts';
import { aBootstrappedCluster, type Bootstrapped, firstBoot, machineOf, type MACHINES } from '../support/first-boot.ts';
import type { FirstBootData } from './first-boot-data.ts';
import { isManaged, type Pair } from './pairs.ts';

/** The version in these claims. */
const VERSION = 'v1.35.4';

const KINDS = ['init', 'control-plane', 'worker'] as const satisfies readonly (keyof typeof MACHINES)[];

/** Creating keys is slow, so there is one cluster for all pairs of a bootstrapper. */
const clusters = new Map<string, Promise<Bootstrapped>>();

function clusterOf(pair: Pair): Promise<Bootstrapped> {
  const { provider } = pair;
  const config = everyConfig(provider, VERSION);
  const found =
    clusters.get(provider) ?? (isManaged(pair) ? eksCluster(provider, config) : ownCluster(provider, config));
  clusters.set(provider, found);
  return found;
}

function ownCluster(provider: string, config: JsonObject): Promise<Bootstrapped> {
  return aBootstrappedCluster({ spec: { bootstrap: { provider, config } } });
}

function eksCluster(provider: string, config: JsonObject): Promise<Bootstrapped> {
  return Promise.resolve(anEksCluster(provider, { config }));
}

/** For every kind of machine: the minimum, and everything a claim can say. */
export async function renderedOf(pair: Pair): Promise<readonly FirstBootData[]> {
  const cluster = await clusterOf(pair);
  const data: FirstBootData[] = [];
  for (const kind of isManaged(pair) ? (['worker'] as const) : KINDS) {
    const before = kind === 'init' ? uninitialized(cluster) : cluster;
    const little = await firstBoot(before, machineOfPair(pair, kind, {}));
    const carried = little.plan.carries?.includes('registries') === true ? { registries: REGISTRIES } : {};
    const much = await firstBoot(before, machineOfPair(pair, kind, { ...everyCustomisation(pair.format), ...carried }));
    data.push({ of: kind, format: little.format, text: little.text });
    data.push({ of: `${kind}, with everything a claim can say`, format: much.format, text: much.text });
  }
  return data;
}

function machineOfPair(
  { provider, format }: Pair,
  kind: (typeof KINDS)[number],
  customisation: JsonObject,
): KubeObject {
  return machineOf(kind, { provisioning: { ...customisation, format } }, everyConfig(provider, VERSION), provider);
}

export function uninitialized({ cluster, secrets }: Bootstrapped): Bootstrapped {
  return { cluster: { ...cluster, status: { ...cluster.status, controlPlane: { initialized: false } } }, secrets };
}
