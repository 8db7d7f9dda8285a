/** A zod schema as JSON Schema that a page is made from: with what is accepted in the words of its errors. */
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '#lib/api/json.ts';

/** Keyword for what only a check of the schema says, in the words its error ends with. */
export const ACCEPTED = 'x-accepted';

/** As a person writes it: before defaults are filled in. */
export function described(schema: z.ZodType): JsonObject {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const words = acceptedBy(zodSchema);
      if (words !== undefined) Object.assign(jsonSchema, { [ACCEPTED]: words });
    },
  }) as JsonObject;
}

/** Of several checks the last one is the narrowest. */
function acceptedBy({ _zod: { def } }: z.core.$ZodTypes): string | undefined {
  return (def.checks ?? [])
    .map((check) => errorOf(check))
    .flatMap((error) => /accepted: (?<words>.+)$/.exec(error)?.groups?.['words'] ?? [])
    .at(-1);
}

/** House errors do not depend on the value; zod's own, which do, say nothing of what is accepted. */
function errorOf(check: z.core.$ZodCheck): string {
  const described = check._zod.def.error?.({} as never);
  if (typeof described === 'string') return described;
  return isJsonObject(described) && typeof described['message'] === 'string' ? described['message'] : '';
}
