/** The Compositions of the project with other settings of the platform. */
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { compositions } from '../../cli/files/repository.ts';

/**
 * @param section of every cloud in the input of the machine step; what it allows in clear, the steps that judge claims
 * allow as well
 * @param ofMachine the same for the machine step alone
 */
export function compositionsWith(section: JsonObject, ofMachine: JsonObject = section): readonly KubeObject[] {
  return compositions().map((composition) => withSections(composition, section, ofMachine));
}

interface Step {
  readonly input?: { readonly kind?: string };
}

function withSections(composition: KubeObject, section: JsonObject, ofMachine: JsonObject): KubeObject {
  const steps = at(composition, 'spec', 'pipeline') as readonly Step[];
  const pipeline = steps.map(({ input, ...step }) => {
    if (input === undefined) return step;
    if (input.kind === 'MachineInput')
      return { ...step, input: { ...input, aws: ofMachine, azure: ofMachine, gcp: ofMachine } };
    const { allowInClear } = section;
    return {
      ...step,
      input: 'allowInClear' in input && allowInClear !== undefined ? { ...input, allowInClear } : input,
    };
  });
  return { ...composition, spec: { ...composition.spec, pipeline } };
}
