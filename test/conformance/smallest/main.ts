/** The smallest function: one ConfigMap per XR. */
import { SlipwayError } from '#lib/api/errors.ts';
import { stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { ANSWERS_FOR_NOTHING } from '#lib/fn/law.ts';
import { Reply } from '#lib/fn/reply.ts';
import { serve } from '#lib/wire/serve.ts';

const run: CompositionFunction = (request) => {
  const { composite } = request.observed;
  const what = describeObject(composite);
  const greeting = stringAt(composite, 'spec', 'greeting');
  if (greeting === undefined)
    throw new SlipwayError('InvalidClaim', `cannot accept ${what}: spec.greeting: is missing; accepted: any text`);
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', data: { greeting } };
  return new Reply(request, ANSWERS_FOR_NOTHING).compose('greeting', configMap, true);
};

await serve('function-greeting', () => Promise.resolve({ run }));
