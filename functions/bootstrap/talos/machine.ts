/** A machine's side of Talos: the documents of its machine configuration. */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { JsonObject } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { describeObject } from '#lib/api/names.ts';
import type { Call, Waiting } from '../bootstrapper.ts';
import { readClaimConfig, refuseClusterWide } from '../claim-config.ts';
import { requireSecrets } from '../machine-secrets.ts';
import { noProxy } from '../no-proxy.ts';
import { BUNDLE, CA, PARTS, TALOS_CA } from './bundle.ts';
import { OF_THE_CLUSTER, type Release, TalosConfig } from './config.ts';
import { type Facts, isControlPlane, refuseVersion } from './facts.ts';
import { type Document, patched } from './patches.ts';
import { documents113 } from './v1-13.ts';
import { documents114 } from './v1-14.ts';

const LAYOUTS: Readonly<Record<Release, (facts: Facts) => readonly Document[]>> = {
  '1.13': documents113,
  '1.14': documents114,
};

export function machineScope(call: Call<Machine>, cluster: Cluster): BootstrapPlan | Waiting {
  const { composite: machine, owner, input } = call;
  const config = readClaimConfig(TalosConfig, machine.spec.bootstrap.config, owner);
  const clusterConfig = readClaimConfig(TalosConfig, cluster.spec.bootstrap.config, describeObject(cluster));
  if (machine.spec.role === 'worker') refuseClusterWide(OF_THE_CLUSTER, config, clusterConfig, owner);
  refuseVersion(machine.spec.version, config.talosVersion, owner);
  // A worker needs no more of its cluster than whom to trust, and how to be let in.
  const parts = machine.spec.role === 'control-plane' ? PARTS : [CA, TALOS_CA, BUNDLE];
  const secrets = requireSecrets(call, cluster, parts, CA);
  if ('waiting' in secrets) return secrets;
  const endpoint = cluster.status?.controlPlaneEndpoint;
  if (endpoint === undefined)
    return { waiting: `waiting for the control-plane endpoint of Cluster "${cluster.metadata.name}"` };
  const cloudProvider = config.cloudProvider ?? input.cloudProvider;
  return planOf({ cluster, machine, owner, config, secrets, endpoint, cloudProvider });
}

function planOf(facts: Facts): BootstrapPlan {
  const { cluster, config, machine } = facts;
  const documents = LAYOUTS[config.talosVersion](facts);
  const { all, controlPlane, worker } = config.patches;
  const patches = [...all, ...(isControlPlane(facts) ? controlPlane : worker)];
  return {
    contract: 1,
    kind: 'talos',
    provider: 'talos',
    nodeName: machine.metadata.name,
    release: config.talosVersion,
    documents: [...patched(documents, patches as readonly JsonObject[])],
    noProxy: [...noProxy(cluster)],
  };
}
