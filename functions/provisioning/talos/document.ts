/** Documents of a machine configuration, and documents for the customisation. */
import type { SlipwayError } from '#lib/api/errors.ts';
import { isJsonObject, type JsonObject, stringAt, own } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { cannotExpress } from '#lib/cloud/expressible.ts';

export type Document = JsonObject;

export function document(kind: string, fields: JsonObject): Document {
  return { apiVersion: 'v1alpha1', kind, ...fields };
}

/** The documents with fields added to `machine` of the first. */
export function withMachine(documents: readonly Document[], fields: JsonObject, owner: string): readonly Document[] {
  const [first = {}, ...others] = documents;
  if (Object.keys(fields).length === 0) return documents;
  const machine = isJsonObject(first['machine']) ? first['machine'] : {};
  const taken = Object.keys(fields).find((key) => own(machine, key) !== undefined);
  if (taken !== undefined) throw writtenTwice(owner, `machine.${taken}`);
  return [{ ...first, machine: { ...machine, ...fields } }, ...others];
}

/** Talos refuses a machine configuration with two documents of the same kind and name. */
export function refuseDuplicates(documents: readonly Document[], owner: string): void {
  const seen = new Set<string>();
  for (const one of documents) {
    const name = stringAt(one, 'name');
    const key = `${stringAt(one, 'kind') ?? 'v1alpha1'}${name === undefined ? '' : ` ${name}`}`;
    if (seen.has(key)) throw writtenTwice(owner, key);
    seen.add(key);
  }
}

function writtenTwice(owner: string, what: string): SlipwayError {
  return refusalFor(
    owner,
    'spec.provisioning',
    `writes ${what}, which is already written; accepted: only one of spec.provisioning, its raw.talos and spec.bootstrap.config.patches`,
  );
}

/** A value that this release of Talos cannot express. */
export function cannotSay(owner: string, field: string, release: string, instead: string): SlipwayError {
  return cannotExpress(`Talos ${release}`, owner, `spec.provisioning.${field}`, instead);
}
