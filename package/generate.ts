/**
 * Writes the generated definitions: XRDs, the CRDs of provider-node, and the input CRD of every function. The zod
 * schemas are the source; nothing is read back from what was written.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { COMPOSITES, NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import {
  compositeResourceDefinition,
  customResourceDefinition,
  inputDefinition,
  type InputDefinition,
} from '#lib/api/schema/definition.ts';
import { BootstrapInput } from '../functions/bootstrap/input.ts';
import { ClusterInput } from '../functions/cluster/input.ts';
import { InPlaceUpdateInput } from '../functions/in-place-update/input.ts';
import { MachineInput } from '../functions/machine/input.ts';
import { NodePoolInput } from '../functions/nodepool/input.ts';
import { ProvisioningInput } from '../functions/provisioning/input.ts';

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
  ]);
}

function asYaml(object: KubeObject, source: string): string {
  const header = `# Generated from ${source} by \`npm run generate\`. Edit the zod schema, not this file.\n`;
  return header + stringify(object, { lineWidth: 120, aliasDuplicateObjects: false });
}

if (import.meta.main) {
  for (const [path, text] of generatedFiles()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
}
