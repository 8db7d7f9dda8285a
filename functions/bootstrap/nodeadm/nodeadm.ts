/** nodeadm: EKS nodes on Amazon Linux. The image contains everything; the plan is one NodeConfig. */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Bootstrapper, Call, Waiting } from '../bootstrapper.ts';
import { readClaimConfig, readConfigs } from '../claim-config.ts';
import { clusterScope } from '../eks/cluster.ts';
import { factsOf } from '../eks/facts.ts';
import { noProxy } from '../no-proxy.ts';
import { registriesScript } from '../registries-update.ts';
import { mirrorFiles } from '../runtime-files.ts';
import { NodeadmConfig } from './config.ts';
import { nodeConfig } from './node-config.ts';
import { nodeadmRules } from './rules.ts';

/** Folder where containerd in EKS images looks for mirrors. */
const CERTS = '/etc/containerd/certs.d';

export const nodeadm: Bootstrapper = {
  config: {
    schema: NodeadmConfig,
    about: 'Fields of NodeConfig, except those about the cluster.',
    ofTheCluster: [],
  },
  forCluster: async (call) => {
    readClaimConfig(NodeadmConfig, call.composite.spec.bootstrap.config, call.owner);
    return clusterScope(call);
  },
  forMachine: machineScope,
  forUpdate: ({ machine, owner }) => [
    registriesScript({ files: mirrorFiles(CERTS, machine.spec.provisioning.registries, owner) }),
  ],
};

function machineScope(call: Call<Machine>, cluster: Cluster): BootstrapPlan | Waiting {
  const { composite: machine, owner } = call;
  const facts = factsOf(call, cluster, readConfigs(call, cluster, nodeadmRules)[0]);
  if ('waiting' in facts) return facts;
  return {
    contract: 1,
    kind: 'nodeadm',
    provider: 'nodeadm',
    nodeName: machine.metadata.name,
    config: nodeConfig(facts),
    files: [...mirrorFiles(CERTS, machine.spec.provisioning.registries, owner)],
    carries: ['registries'],
    noProxy: [...noProxy(cluster)],
  };
}
