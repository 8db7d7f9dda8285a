/** JSON Schema of a claim with one bootstrapper, for editors: strict about `spec.bootstrap.config`, open elsewhere. */
import { z } from 'zod';
import type { JsonObject } from '#lib/api/json.ts';
import type { Provider } from './provider.ts';

/** What most editors read. */
const TARGET = 'draft-07';

export function claimSchema({ name, config }: Provider): JsonObject {
  const { $schema, ...fields } = z.toJSONSchema(config.schema, {
    target: TARGET,
    io: 'input',
    unrepresentable: 'throw',
    override: ({ jsonSchema }) => {
      for (const keyword of Object.keys(jsonSchema).filter(isOurs)) Reflect.deleteProperty(jsonSchema, keyword);
      // A format beside a pattern is zod's name for the check; JSON Schema has no such format.
      if (jsonSchema.pattern !== undefined) delete jsonSchema.format;
    },
  }) as JsonObject;
  return {
    ...($schema === undefined ? {} : { $schema }),
    $comment: `Generated from functions/bootstrap/${name} by \`npm run generate\`.`,
    title: `Cluster with bootstrap provider ${name}, or a NodePool of one`,
    ...below(
      'spec',
      below('bootstrap', { type: 'object', properties: { provider: { const: name }, config: REFERENCE } }),
    ),
    definitions: { config: fields },
  };
}

const REFERENCE: JsonObject = { $ref: '#/definitions/config' };

function below(field: string, schema: JsonObject): JsonObject {
  return { type: 'object', properties: { [field]: schema } };
}

/** Words between our own schemas and their readers, which mean nothing to an editor. */
function isOurs(keyword: string): boolean {
  return keyword === 'secret' || keyword === 'otherNames' || keyword.startsWith('x-kubernetes-');
}
