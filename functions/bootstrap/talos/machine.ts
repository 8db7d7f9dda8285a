/** Talos on a machine: the documents of its machine configuration. */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { JsonObject } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Call, Waiting } from '../bootstrapper.ts';
import { readConfigs } from '../claim-config.ts';
import { noProxy } from '../no-proxy.ts';
import { certificateOf } from '../parts.ts';
import { machineFactsOf } from '../machine-facts.ts';
import { BUNDLE, CA, PARTS, TALOS_CA } from './bundle.ts';
import { type TalosFacts, isControlPlane } from './facts.ts';
import { type Document, patched } from './patches.ts';
import { talosRules } from './rules.ts';
import type { Release } from './traits.ts';
import { documents113 } from './v1-13.ts';
import { documents114 } from './v1-14.ts';

const LAYOUTS: Readonly<Record<Release, (facts: TalosFacts) => readonly Document[]>> = {
  '1.13': documents113,
  '1.14': documents114,
};

export function machineScope(call: Call<Machine>, cluster: Cluster): BootstrapPlan | Waiting {
  const { composite: machine } = call;
  const [config] = readConfigs(call, cluster, talosRules);
  // A worker only needs the certificate to trust and the token to join.
  const parts = machine.spec.role === 'control-plane' ? PARTS : [certificateOf(CA), certificateOf(TALOS_CA), BUNDLE];
  const found = machineFactsOf(call, cluster, { parts, authority: CA, cloudProvider: config.cloudProvider });
  return 'waiting' in found ? found : planOf({ ...found, config });
}

function planOf(facts: TalosFacts): BootstrapPlan {
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
