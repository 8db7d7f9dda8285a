/** One write of an object: admitted, defaulted, validated. It is stored as a whole or refused. */
import { NAMESPACE_NEEDED } from '#lib/api/kinds/composite.ts';
import { at, type Json, type KubeObject } from '#lib/api/json.ts';
import type { Issue } from '#lib/api/parse.ts';
import { invalid, undeclared } from './api-error.ts';
import type { Kind } from './kinds.ts';
import { markIssues, unknownMetadata } from './metadata.ts';
import { metaOf, ownersOf, isSubdomain } from './object.ts';
import { refOf } from './ref.ts';
import { withDefaults } from './schema/defaults.ts';
import { pruned } from './schema/prune.ts';
import { unknownFields, violations } from './schema/validate.ts';

export class Writing {
  readonly #kind: Kind;
  readonly #strict: boolean;
  /** The object after the rewriting of its kind, before defaults. */
  readonly admitted: KubeObject;

  /**
   * @param options patch: unknown fields make it invalid; strict: they are an error of the writer; neither: they are
   * dropped
   */
  constructor(kind: Kind, object: KubeObject, options: { readonly patch?: boolean; readonly strict?: boolean }) {
    this.#kind = kind;
    this.#strict = options.strict === true;
    const admitted = kind.admit?.(object) ?? object;
    const unknown = unknownFields(admitted, kind.schema, '');
    const mistaken = this.#strict ? [...unknown, ...unknownMetadata(admitted)] : [];
    // The API server stops here; whoever mends a file wants to know of the rest as well.
    if (mistaken.length > 0) throw invalid(refOf(object), [...mistaken, ...this.#wrongBeside(mistaken, admitted)]);
    if (unknown.length > 0 && options.patch === true) throw undeclared(refOf(object), unknown);
    this.admitted = unknown.length > 0 ? (pruned(admitted, kind.schema) as KubeObject) : admitted;
  }

  /** The object to store, without what only the store knows. */
  result(before: KubeObject | undefined): KubeObject {
    const object = withDefaults(this.admitted, this.#kind.schema) as KubeObject;
    const issues = [...this.#identityIssues(object), ...violations(object, this.#kind.schema, '')];
    const rules = issues.length > 0 ? [] : (this.#kind.check?.(object, before) ?? []);
    const all = [...issues, ...rules].toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    if (all.length > 0) throw invalid(refOf(object), all);
    return object;
  }

  /** What else is wrong with the object; what is missing beside an unknown field was probably meant by it. */
  #wrongBeside(unknown: readonly Issue[], object: KubeObject): readonly Issue[] {
    const { schema } = this.#kind;
    const around = new Set(unknown.map(({ path }) => parentOf(path)));
    const rest = withDefaults(pruned(object, schema), schema) as Json;
    return [...this.#identityIssues(object), ...violations(rest, schema, '')].filter(
      ({ path }) => !around.has(parentOf(path)) || at(rest, ...path.split('.')) !== undefined,
    );
  }

  #identityIssues(object: KubeObject): readonly Issue[] {
    const { name = '', namespace } = metaOf(object);
    const issues: Issue[] = [];
    if (!isSubdomain(name))
      issues.push({
        path: 'metadata.name',
        message: `${JSON.stringify(name)} is not accepted; accepted: lower-case letters, digits, - and . (a DNS subdomain)`,
      });
    if (this.#kind.composite && name.length > 63)
      issues.push({
        path: 'metadata.name',
        message: `${JSON.stringify(name)} is not accepted; accepted: at most 63 characters`,
      });
    if (this.#kind.namespaced && (namespace ?? '') === '')
      issues.push({ path: 'metadata.namespace', message: NAMESPACE_NEEDED });
    if (ownersOf(object).filter(({ controller }) => controller === true).length > 1)
      issues.push({ path: 'metadata.ownerReferences', message: 'only one reference can have controller set to true' });
    issues.push(...markIssues(object));
    return issues;
  }
}

function parentOf(path: string): string {
  return path.replace(/(\.[^.[\]]+|\["[^"]*"\])$/, '');
}
