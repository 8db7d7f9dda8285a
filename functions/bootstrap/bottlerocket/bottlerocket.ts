/**
 * Bottlerocket: EKS nodes with an operating system that is configured by settings. The image contains everything; the
 * plan is these settings.
 */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Bootstrapper, Call, Waiting } from '../bootstrapper.ts';
import { clusterScope } from '../eks/cluster.ts';
import { factsOf } from '../eks/facts.ts';
import { noProxy } from '../no-proxy.ts';
import { BottlerocketConfig } from './config.ts';
import { readConfig } from './read-config.ts';
import { settingsOf } from './settings.ts';

export const bottlerocket: Bootstrapper = {
  config: {
    schema: BottlerocketConfig,
    about: 'Groups of Bottlerocket settings. Other settings are in `spec.provisioning` and its `raw.bottlerocket`.',
    ofTheCluster: [],
  },
  forCluster: async (call) => {
    readConfig(call.composite.spec.bootstrap.config, call.owner);
    return clusterScope(call);
  },
  forMachine: machineScope,
};

function machineScope(call: Call<Machine>, cluster: Cluster): BootstrapPlan | Waiting {
  const { composite: machine, owner } = call;
  const facts = factsOf(call, cluster, readConfig(machine.spec.bootstrap.config, owner));
  if ('waiting' in facts) return facts;
  return {
    contract: 1,
    kind: 'bottlerocket',
    provider: 'bottlerocket',
    nodeName: machine.metadata.name,
    settings: settingsOf(facts),
    noProxy: [...noProxy(cluster)],
  };
}
