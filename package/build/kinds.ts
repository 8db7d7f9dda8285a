/**
 * The kinds of a package that has releases of its own. A function that writes a field which they do not have stops every
 * claim, so a change of them raises what others require.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { at, canonical, isJsonObject, type Json, type KubeObject, stringAt } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';

/** SHA-256 of the schemas of all CRDs in a folder, whatever their descriptions say. */
export function kindsDigest(folder: string): string {
  const crds = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => parse(readFileSync(join(folder, file), 'utf8')) as KubeObject);
  return sha256(canonical(crds.map((crd) => [crd.metadata?.name, schemasOf(crd)])));
}

function schemasOf(crd: KubeObject): Json {
  const versions = at(crd, 'spec', 'versions');
  const list = Array.isArray(versions) ? versions : [];
  return list.map((version) => [stringAt(version, 'name') ?? null, undescribed(at(version, 'schema')) ?? null]);
}

/** A property of the name `description` has an object. */
function undescribed(value: unknown): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => undescribed(item) ?? null);
  if (!isJsonObject(value)) return value as Json;
  const kept = Object.entries(value).filter(([key, part]) => key !== 'description' || typeof part !== 'string');
  return Object.fromEntries(kept.map(([key, part]) => [key, undescribed(part) ?? null]));
}
