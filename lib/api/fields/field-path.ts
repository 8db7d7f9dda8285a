/** Paths to fields of composed objects, as update rules and update claims write them. */
import { z } from 'zod';

const FIELD_PATH = /^(spec|metadata\.labels|metadata\.annotations)(\.[A-Za-z0-9_/-]+|\[\*\]|\["[^"]+"\])*$/;

/** Whether a field is the named one or lies below it; both written the same way. */
export function isAtOrBelow(field: string, named: string): boolean {
  return field === named || field.startsWith(`${named}.`) || field.startsWith(`${named}[`);
}

/** A field and everything below it; [*] stands for any item of a list. */
export function fieldPath(): z.ZodString {
  return z.string().max(512).regex(FIELD_PATH, {
    error:
      'is not a field path; accepted: a path below spec, metadata.labels or metadata.annotations, such as spec.labels or spec.taints[*].value',
  });
}
