/** The input of every function as a CRD, for editors and `crossplane resource validate`. */
import type { z } from 'zod';
import { inputDefinition } from '#lib/api/schema/definition.ts';
import { AddOnsInput } from '../functions/addons/input.ts';
import { BootstrapInput } from '../functions/bootstrap/input.ts';
import { ClusterInput } from '../functions/cluster/input.ts';
import { InPlaceUpdateInput } from '../functions/in-place-update/input.ts';
import { MachineInput } from '../functions/machine/input.ts';
import { NodePoolInput } from '../functions/nodepool/input.ts';
import { ProvisioningInput } from '../functions/provisioning/input.ts';
import type { GeneratedFile } from './file.ts';
import { definitionYaml } from './yaml.ts';

interface FunctionInput {
  /** Folder of the function below functions/. */
  readonly folder: string;
  readonly kind: string;
  readonly schema: z.ZodType;
}

const of = (folder: string, schema: z.ZodObject<{ readonly kind: z.ZodLiteral<string> }>): FunctionInput => ({
  folder,
  kind: schema.shape.kind.value,
  schema,
});

export const INPUTS: readonly FunctionInput[] = [
  of('addons', AddOnsInput),
  of('bootstrap', BootstrapInput),
  of('cluster', ClusterInput),
  of('in-place-update', InPlaceUpdateInput),
  of('machine', MachineInput),
  of('nodepool', NodePoolInput),
  of('provisioning', ProvisioningInput),
];

export function functionInputFiles(): readonly GeneratedFile[] {
  return INPUTS.map(({ folder, kind, schema }) => {
    const plural = `${kind.toLowerCase()}s`;
    const definition = inputDefinition({ kind, plural, description: `Input of the ${folder} step.`, schema });
    return [
      `package/functions/${folder}/input/${plural}.yaml`,
      definitionYaml(definition, `functions/${folder}/input.ts`),
    ];
  });
}
