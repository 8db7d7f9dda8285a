/**
 * References between managed resources, resolved as in upjet: an existing value is kept, even if the reference names
 * another object.
 */
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { annotationsOf, controllerOf, metaOf } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import type { CloudKind } from './kind.ts';

export class UnresolvedReference extends Error {
  override readonly name = 'UnresolvedReference';
}

/** The kind that a reference names, among the kinds of the same cloud. */
export type KindNamed = (name: string, by: CloudKind) => CloudKind | undefined;

/** forProvider with the values of all references; throws the error of upjet if one cannot be resolved. */
export function resolved(store: Store, resource: KubeObject, kind: CloudKind, kindNamed: KindNamed): JsonObject {
  const forProvider = at(resource, 'spec', 'forProvider');
  return new Resolution(store, resource, kind, kindNamed).object(
    isJsonObject(forProvider) ? forProvider : {},
    'ForProvider',
  );
}

class Resolution {
  readonly #store: Store;
  readonly #resource: KubeObject;
  readonly #kind: CloudKind;
  readonly #kindNamed: KindNamed;

  constructor(store: Store, resource: KubeObject, kind: CloudKind, kindNamed: KindNamed) {
    this.#store = store;
    this.#resource = resource;
    this.#kind = kind;
    this.#kindNamed = kindNamed;
  }

  object(value: JsonObject, path: string): JsonObject {
    const result: Record<string, Json | undefined> = {};
    for (const [key, child] of Object.entries(value)) result[key] = this.#child(child, `${path}.${pascal(key)}`);
    for (const [field, target] of Object.entries(this.#kind.references)) {
      const found = this.#field(value, field, target, path);
      if (found !== undefined) result[field] = found;
    }
    return result;
  }

  #child(child: Json | undefined, path: string): Json | undefined {
    if (Array.isArray(child))
      return child.map((item: Json, index) => (isJsonObject(item) ? this.object(item, `${path}[${index}]`) : item));
    return isJsonObject(child) && !/(Ref|Refs|Selector)$/.test(path) ? this.object(child, path) : child;
  }

  #field(value: JsonObject, field: string, target: string, path: string): Json | undefined {
    // Providers differ: subnets has subnetRefs, healthChecks has healthChecksRefs.
    const many = /[^s]s$/.test(field);
    const names = many ? [field.slice(0, -1), field] : [field];
    const found = (ending: string) => names.map((name) => value[`${name}${ending}`]).find((one) => one !== undefined);
    const refs = many ? found('Refs') : found('Ref');
    const selector = found('Selector');
    if (value[field] !== undefined || (refs === undefined && selector === undefined)) return undefined;
    const where = `mg.Spec.${path}.${pascal(field)}`;
    const listed = many ? refs : refs === undefined ? undefined : [refs];
    const referred = Array.isArray(listed)
      ? (listed as readonly Json[]).map((ref) => this.#byName(ref, target, where))
      : this.#bySelector(selector, target, where);
    const byId = this.#kindNamed(target, this.#kind)?.refersByReportedId === true && /Ids?$/.test(field);
    const values = referred.map((object) =>
      this.#value(object, byId ? 'id' : /Arns?$/.test(field) ? 'arn' : 'name', where),
    );
    return many ? values : values[0];
  }

  #byName(ref: Json, target: string, where: string): KubeObject {
    const name = stringAt(ref, 'name') ?? '';
    const namespace = stringAt(ref, 'namespace') ?? metaOf(this.#resource).namespace ?? '';
    const found = this.#store.find({ ...this.#names(target), namespace, name });
    if (found === undefined)
      throw new UnresolvedReference(`${where}: cannot get referenced resource: ${target} "${name}" not found`);
    return found;
  }

  #bySelector(selector: Json | undefined, target: string, where: string): readonly KubeObject[] {
    const labels = at(selector, 'matchLabels');
    const controller = controllerOf(this.#resource)?.uid;
    const found = this.#store
      .list({
        ...this.#names(target),
        namespace: stringAt(selector, 'namespace') ?? metaOf(this.#resource).namespace,
        labels: isJsonObject(labels) ? (labels as Readonly<Record<string, string>>) : {},
      })
      .filter((object) => at(selector, 'matchControllerRef') !== true || controllerOf(object)?.uid === controller);
    if (found.length === 0) throw new UnresolvedReference(`${where}: no resources matched selector`);
    return found;
  }

  #names(target: string): { readonly apiVersion: string; readonly kind: string } {
    const kind = this.#kindNamed(target, this.#kind);
    if (kind === undefined) throw new UnresolvedReference(`no matches for kind "${target}"`);
    return { apiVersion: kind.apiVersion, kind: kind.kind };
  }

  #value(object: KubeObject, by: 'id' | 'arn' | 'name', where: string): string {
    const value =
      by === 'name' ? annotationsOf(object)[CROSSPLANE.externalName] : stringAt(object, 'status', 'atProvider', by);
    if (value !== undefined) return value;
    throw new UnresolvedReference(`${where}: referenced field was empty (referenced resource may not yet be ready)`);
  }
}

/** The Go name of a field: vpcId → VPCID, subnetId → SubnetID. */
function pascal(key: string): string {
  return key
    .replace(/^vpc/, 'VPC')
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())
    .replace(/Id(s?)$/, 'ID$1')
    .replace(/Arn(s?)$/, 'Arn$1');
}
