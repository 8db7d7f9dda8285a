/** The Compositions of the project with other settings of the platform. */
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { compositions } from '../../cli/files/repository.ts';

/**
 * @param aws the section of the cloud in the input of the machine step; what it allows in clear, the steps that judge
 * claims allow as well
 * @param ofMachine the same for the machine step alone
 */
export function compositionsWith(aws: JsonObject, ofMachine: JsonObject = aws): readonly KubeObject[] {
  return compositions().map((composition) => withSections(composition, aws, ofMachine));
}

interface Step {
  readonly input?: { readonly kind?: string };
}

function withSections(composition: KubeObject, aws: JsonObject, ofMachine: JsonObject): KubeObject {
  const steps = at(composition, 'spec', 'pipeline') as readonly Step[];
  const pipeline = steps.map(({ input, ...step }) => {
    if (input === undefined) return step;
    if (input.kind === 'MachineInput') return { ...step, input: { ...input, aws: ofMachine } };
    const { allowInClear } = aws;
    return {
      ...step,
      input: 'allowInClear' in input && allowInClear !== undefined ? { ...input, allowInClear } : input,
    };
  });
  return { ...composition, spec: { ...composition.spec, pipeline } };
}
