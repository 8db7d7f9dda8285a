/** The same reconcile with a fault: both engines must fail at the same step with the same message. */
import { type Json, type JsonObject, type KubeObject, at, isJsonObject } from '#lib/api/json.ts';
import type { Start } from './stages.ts';

/** For the first XR of a kind: nothing is found, an input is refused at the first and at the last step, no function. */
export function variants(start: Start): readonly Start[] {
  const inOneStep = (name: string, index: number, change: (step: JsonObject) => JsonObject): Start => ({
    ...start,
    stage: `${start.stage}, ${name}`,
    composition: withStep(start.composition, index, change),
  });
  return [
    { ...start, stage: `${start.stage}, nothing found`, required: [] },
    inOneStep('first input refused', 0, refusedInput),
    inOneStep('last input refused', -1, refusedInput),
    inOneStep('no such function', -1, (step) => ({ ...step, functionRef: { name: 'slipway-function-nowhere' } })),
  ];
}

/** Every input has this field, and accepts no such value. */
function refusedInput(step: JsonObject): JsonObject {
  return { ...step, input: { ...(isJsonObject(step['input']) ? step['input'] : {}), ttl: 'not a duration' } };
}

function withStep(composition: KubeObject, index: number, change: (step: JsonObject) => JsonObject): KubeObject {
  const steps = at(composition, 'spec', 'pipeline');
  if (!Array.isArray(steps)) throw new Error('the composition has no pipeline');
  const wanted = index < 0 ? steps.length + index : index;
  const pipeline = steps.map((step: Json, i) => (i === wanted && isJsonObject(step) ? change(step) : step));
  return { ...composition, spec: { ...composition.spec, pipeline } };
}
