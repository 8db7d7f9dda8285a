/** The objects at the end of a simulation, as `kubectl get -o yaml` would print them. */
import { writeFileSync } from 'node:fs';
import type { KubeObject } from '#lib/api/json.ts';
import { yamlDocument } from '#lib/api/yaml.ts';
import type { Engine, ObjectRef } from '#simulator/engine.ts';
import { ENVIRONMENT_CONFIG, SECRET } from '#simulator/store/builtins.ts';
import { accessible } from '../files/texts.ts';
import { maskedObjects } from '../masking.ts';

/**
 * Writes XRs, everything they composed except Secrets and values of them, and what the platform has for them, into one
 * file.
 * @returns how many
 */
export function saveObjects(engine: Engine, file: string): number {
  const objects = maskedObjects([...observedObjects(engine), ...engine.list(ENVIRONMENT_CONFIG)], engine.list(SECRET));
  accessible(() => writeFileSync(file, objects.map(yamlDocument).join('')), file, 'write');
  return objects.length;
}

/** XRs, parents before children, each with what it composed; each object once. */
export function observedObjects(engine: Engine): readonly KubeObject[] {
  const refs = engine.snapshot().composites.flatMap(({ composed, ...xr }): readonly ObjectRef[] => [xr, ...composed]);
  const objects = refs.filter(({ kind }) => kind !== 'Secret').flatMap((ref) => engine.get(ref) ?? []);
  return [...new Map(objects.map((object) => [object.metadata?.uid, object])).values()];
}
