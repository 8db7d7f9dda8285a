/** The Compositions of the project with other settings of the platform. */
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { compositions } from '../../cli/files/repository.ts';

/** @param aws the section of the cloud in the input of the machine step */
export function compositionsWith(aws: JsonObject): readonly KubeObject[] {
  return compositions().map((composition) => withSection(composition, aws));
}

function withSection(composition: KubeObject, aws: JsonObject): KubeObject {
  const steps = at(composition, 'spec', 'pipeline') as readonly { readonly input?: { readonly kind?: string } }[];
  const pipeline = steps.map((step) =>
    step.input?.kind === 'MachineInput' ? { ...step, input: { ...step.input, aws } } : step,
  );
  return { ...composition, spec: { ...composition.spec, pipeline } };
}
