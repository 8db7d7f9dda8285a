/** The pages about the contracts that third parties read and write. */
import { BottlerocketPlan, NodeadmPlan, ScriptedPlan, TalosPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { Payload } from '#lib/api/contracts/payload.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { type Contract, contractPage } from './contract-page.ts';
import type { GeneratedFile } from './file.ts';

export function contractPages(): readonly GeneratedFile[] {
  return [
    ['docs/contracts/bootstrap-plan.md', contractPage(BOOTSTRAP_PLAN)],
    ['docs/contracts/payload.md', contractPage(PAYLOAD)],
  ];
}

const BOOTSTRAP_PLAN: Contract = {
  title: 'Contract: bootstrap plan',
  about: `How a host becomes a node, in words no provisioner owns. The bootstrap step of a Machine's pipeline puts it into the
pipeline context under \`${CONTEXT.bootstrapPlan}\`; the provisioning step renders it. It holds secrets: it travels in the context
only and is never stored. \`kind\` says which of these it is.`,
  source: 'lib/api/contracts/bootstrap-plan.ts',
  schemas: [ScriptedPlan, TalosPlan, NodeadmPlan, BottlerocketPlan].map((schema) => ({
    heading: schema.shape.kind.value,
    schema,
  })),
};

const PAYLOAD: Contract = {
  title: 'Contract: payload',
  about: `The bytes a machine gets on its first boot. The provisioning step puts it into the pipeline context under
\`${CONTEXT.payload}\`; the machine step stores it in an immutable Secret and hands it to the cloud in the way that fits.`,
  source: 'lib/api/contracts/payload.ts',
  schemas: [{ heading: 'Fields', schema: Payload }],
};
