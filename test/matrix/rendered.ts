/** First-boot data of a pair, made by the functions themselves. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { EVERY_CANONICAL } from '../../functions/bootstrap/canonical-kubernetes/canonical-kubernetes.fixture.ts';
import { EVERY_K0S } from '../../functions/bootstrap/k0s/k0s.fixture.ts';
import { EVERY_MICROK8S } from '../../functions/bootstrap/microk8s/microk8s.fixture.ts';
import { everyFieldOf } from '../../functions/provisioning/ignition/everything.fixture.ts';
import { PROVISIONERS } from '../../functions/provisioning/registry.ts';
import { anEksCluster } from '../support/eks.ts';
import {
  EVERY_BOOTSTRAP,
  EVERY_BOTTLEROCKET,
  EVERY_BOTTLEROCKET_PROVISIONING,
  EVERY_NODEADM,
  EVERY_NODEADM_PROVISIONING,
  EVERY_PROVISIONING,
  everyTalos,
  everyTalosProvisioning,
  REGISTRIES,
} from '../support/everything.ts';
import { aBootstrappedCluster, type Bootstrapped, firstBoot, machineOf, type MACHINES } from '../support/first-boot.ts';
import type { FirstBootData } from './first-boot-data.ts';
import { isManaged, type Pair } from './pairs.ts';

/** Of the claims here. */
const VERSION = 'v1.35.4';

const CONFIG: Readonly<Record<string, JsonObject>> = {
  ...Object.fromEntries(Object.entries(EVERY_BOOTSTRAP).map(([provider, every]) => [provider, every(VERSION)])),
  bottlerocket: EVERY_BOTTLEROCKET,
  'canonical-kubernetes': EVERY_CANONICAL,
  k0s: EVERY_K0S,
  microk8s: EVERY_MICROK8S,
  nodeadm: EVERY_NODEADM,
  talos: everyTalos('1.13'),
};

/** `spec.provisioning` but for the format. Left out: what cloud-init can say, as far as the format can say it. */
const CUSTOMISATION: Readonly<Record<string, JsonObject>> = {
  bottlerocket: EVERY_BOTTLEROCKET_PROVISIONING,
  'cloud-init': EVERY_PROVISIONING,
  ignition: everyFieldOf('ignition'),
  'ignition-2.3': everyFieldOf('ignition-2.3'),
  nodeadm: EVERY_NODEADM_PROVISIONING,
  talos: everyTalosProvisioning('1.13'),
};

const KINDS = ['init', 'control-plane', 'worker'] as const satisfies readonly (keyof typeof MACHINES)[];

/** Keys take their time: one cluster for all pairs of a bootstrapper. */
const clusters = new Map<string, Promise<Bootstrapped>>();

function clusterOf(pair: Pair): Promise<Bootstrapped> {
  const { provider } = pair;
  const config = CONFIG[provider] ?? {};
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

/** Of every kind of machine: as little as a claim can say, and everything. */
export async function renderedOf(pair: Pair): Promise<readonly FirstBootData[]> {
  const cluster = await clusterOf(pair);
  const data: FirstBootData[] = [];
  for (const kind of isManaged(pair) ? (['worker'] as const) : KINDS) {
    const before = kind === 'init' ? uninitialized(cluster) : cluster;
    const little = await firstBoot(before, machineOfPair(pair, kind, {}));
    const carried = little.plan.carries?.includes('registries') === true ? { registries: REGISTRIES } : {};
    const much = await firstBoot(before, machineOfPair(pair, kind, { ...customisationOf(pair.format), ...carried }));
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
  return machineOf(kind, { provisioning: { ...customisation, format } }, CONFIG[provider], provider);
}

function customisationOf(format: string): JsonObject {
  const limits = PROVISIONERS[format]?.limits ?? {};
  const { raw: _raw, ...fields } = EVERY_PROVISIONING;
  const sayable = Object.entries(fields).filter(([field]) => !Object.hasOwn(limits, field));
  return CUSTOMISATION[format] ?? Object.fromEntries(sayable);
}

function uninitialized({ cluster, secrets }: Bootstrapped): Bootstrapped {
  return { cluster: { ...cluster, status: { ...cluster.status, controlPlane: { initialized: false } } }, secrets };
}
