/** CEL rules of a schema, as the API server runs them on creation and on every change. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Issue } from '#lib/api/parse.ts';
import type { Schema } from './node.ts';

/** Every rule an object breaks; transition rules are run only where there was a value before. */
export function ruleIssues(_schema: Schema, _after: KubeObject, _before: KubeObject | undefined): readonly Issue[] {
  return [];
}
