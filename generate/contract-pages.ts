/** The pages of the contracts that third parties read and write. */
import { BottlerocketPlan, NodeadmPlan, ScriptedPlan, TalosPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { NodeJoin } from '#lib/api/contracts/node-join.ts';
import { Payload } from '#lib/api/contracts/payload.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { type Contract, contractPage } from './contract-page.ts';
import type { GeneratedFile } from './file.ts';
import { workloadNodePage } from './workload-node-page.ts';

export function contractPages(): readonly GeneratedFile[] {
  return [
    ['docs/contracts/bootstrap-plan.md', contractPage(BOOTSTRAP_PLAN)],
    ['docs/contracts/payload.md', contractPage(PAYLOAD)],
    ['docs/contracts/node-join.md', contractPage(NODE_JOIN)],
    ['docs/contracts/workload-node.md', workloadNodePage()],
  ];
}

const BOOTSTRAP_PLAN: Contract = {
  title: 'Contract: bootstrap plan',
  about: `How a host becomes a node, independent of the first-boot format. The bootstrap step in the pipeline of a Machine writes
it to the pipeline context under \`${CONTEXT.bootstrapPlan}\`; the provisioning step renders it. It contains
secrets, so it is only passed in the context and never stored. \`kind\` selects one of the following schemas.`,
  source: 'lib/api/contracts/bootstrap-plan.ts',
  schemas: [ScriptedPlan, TalosPlan, NodeadmPlan, BottlerocketPlan].map((schema) => ({
    heading: schema.shape.kind.value,
    schema,
  })),
};

const PAYLOAD: Contract = {
  title: 'Contract: payload',
  about: `The data that a machine reads on its first boot. The provisioning step writes it to the pipeline context under
\`${CONTEXT.payload}\`; the machine step stores it in an immutable Secret and sends it to the cloud in a suitable way.`,
  source: 'lib/api/contracts/payload.ts',
  schemas: [{ heading: 'Fields', schema: Payload }],
};

const NODE_JOIN: Contract = {
  title: 'Contract: node join',
  about: `The token by which a machine joins its cluster. The bootstrap step writes it to the pipeline context under
\`${CONTEXT.nodeJoin}\` on every call, also while first-boot data exists; the machine step writes it to the
WorkloadNode. provider-node admits the token in the workload cluster until the Node is there, and withdraws it then.

A token that the cluster itself makes (CanonicalKubernetes…) comes back: the machine step creates the WorkloadNode before
the machine, provider-node asks the cluster and writes the Secret, and first-boot data waits for it. Once the Node is
there, the Secret is deleted.`,
  source: 'lib/api/contracts/node-join.ts',
  schemas: [{ heading: 'Fields', schema: NodeJoin }],
};
