/**
 * Writes what is generated: XRDs, the CRDs of provider-node, the input CRD of every function – from the zod schemas –,
 * docs/matrix.md, from the registries, and update rules, from the clouds' field tables. Nothing is read back from what was
 * written, but the parts of a Composition before its rules.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { BottlerocketPlan, NodeadmPlan, ScriptedPlan, TalosPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { Payload } from '#lib/api/contracts/payload.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { COMPOSITES, NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import {
  compositeResourceDefinition,
  customResourceDefinition,
  inputDefinition,
  type InputDefinition,
} from '#lib/api/schema/definition.ts';
import { type Contract, contractPage } from './contract-page.ts';
import { matrix } from '../cli/matrix/matrix.ts';
import { markdown } from '../cli/matrix/print.ts';
import { BootstrapInput } from '../functions/bootstrap/input.ts';
import { ClusterInput } from '../functions/cluster/input.ts';
import { InPlaceUpdateInput } from '../functions/in-place-update/input.ts';
import { MachineInput } from '../functions/machine/input.ts';
import { NodePoolInput } from '../functions/nodepool/input.ts';
import { ProvisioningInput } from '../functions/provisioning/input.ts';
import { updateRuleFiles } from '../generate/update-rules/files.ts';

const ROOT = dirname(import.meta.dirname);

interface FunctionInput extends InputDefinition {
  /** Folder of the function below functions/. */
  readonly folder: string;
}

const INPUTS: readonly FunctionInput[] = [
  {
    folder: 'bootstrap',
    kind: 'BootstrapInput',
    plural: 'bootstrapinputs',
    description: 'Input of the bootstrap step.',
    schema: BootstrapInput,
  },
  {
    folder: 'cluster',
    kind: 'ClusterInput',
    plural: 'clusterinputs',
    description: 'Input of the cluster step.',
    schema: ClusterInput,
  },
  {
    folder: 'in-place-update',
    kind: 'InPlaceUpdateInput',
    plural: 'inplaceupdateinputs',
    description: 'Input of the in-place-update step.',
    schema: InPlaceUpdateInput,
  },
  {
    folder: 'machine',
    kind: 'MachineInput',
    plural: 'machineinputs',
    description: 'Input of the machine step.',
    schema: MachineInput,
  },
  {
    folder: 'nodepool',
    kind: 'NodePoolInput',
    plural: 'nodepoolinputs',
    description: 'Input of the nodepool step.',
    schema: NodePoolInput,
  },
  {
    folder: 'provisioning',
    kind: 'ProvisioningInput',
    plural: 'provisioninginputs',
    description: 'Input of the provisioning step.',
    schema: ProvisioningInput,
  },
];

/** Every generated file by its path in the repository; the test suite compares it with what is committed. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...COMPOSITES.map(
      (definition) =>
        [`xrds/${definition.plural}.yaml`, asYaml(compositeResourceDefinition(definition), 'lib/api')] as const,
    ),
    ...NODE_KINDS.map(
      (definition) =>
        [
          `package/provider-node/crds/${definition.plural}.yaml`,
          asYaml(customResourceDefinition(definition), 'lib/api'),
        ] as const,
    ),
    ...INPUTS.map(
      (input) =>
        [
          `package/functions/${input.folder}/input/${input.plural}.yaml`,
          asYaml(inputDefinition(input), `functions/${input.folder}/input.ts`),
        ] as const,
    ),
    ...updateRuleFiles(),
    ['docs/matrix.md', matrixPage()],
    ['docs/contracts/bootstrap-plan.md', contractPage(BOOTSTRAP_PLAN)],
    ['docs/contracts/payload.md', contractPage(PAYLOAD)],
  ]);
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

function matrixPage(): string {
  return `# Which bootstrap provider goes with which provisioning format

<!-- Generated from the registries of functions/bootstrap and functions/provisioning by \`npm run generate\`. -->

A Cluster says \`bootstrap.provider\` and \`provisioning.format\`, each by itself. ✘: the claim is refused, and the line names
the formats that work. A field that a format cannot say is refused as well, never left out.

${markdown(matrix())}
The same in a terminal:

\`\`\`sh
npm run slipway -- matrix
\`\`\`
`;
}

function asYaml(object: KubeObject, source: string): string {
  const header = `# Generated from ${source} by \`npm run generate\`. Edit the zod schema, not this file.\n`;
  return header + stringify(object, { lineWidth: 120, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}

if (import.meta.main) {
  for (const [path, text] of generatedFiles()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
}
