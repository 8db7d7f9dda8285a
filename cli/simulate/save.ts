/** What exists at the end of a simulation, as `kubectl get -o yaml` would print it. */
import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';
import type { Engine, ObjectRef } from '#lib/engine/engine.ts';
import { UsageError } from '../exit.ts';

/** Throws UsageError for a file that could not be written at the end, before anything takes time. */
export function refuseUnwritable(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (cause) {
    throw new UsageError(`cannot write "${file}": ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Writes XRs and everything they composed, but for Secrets, into one file. */
export function saveObjects(engine: Engine, file: string): void {
  const documents = observedObjects(engine).map(
    (object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' })}`,
  );
  try {
    writeFileSync(file, documents.join(''));
  } catch (cause) {
    throw new UsageError(`cannot write "${file}": ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** XRs, parents before children, each with what it composed; each object once. */
export function observedObjects(engine: Engine): readonly KubeObject[] {
  const refs = engine.snapshot().composites.flatMap(({ composed, ...xr }): readonly ObjectRef[] => [xr, ...composed]);
  const objects = refs.filter(({ kind }) => kind !== 'Secret').flatMap((ref) => engine.get(ref) ?? []);
  return [...new Map(objects.map((object) => [object.metadata?.uid, object])).values()];
}
