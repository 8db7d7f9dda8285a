/** What every XR has around its own spec and status. */
import { z } from 'zod';
import { API_VERSION } from '../words.ts';

/** Of a namespace that is empty. */
export const NO_NAMESPACE = 'is not accepted; accepted: a namespace, since only kubectl knows that of its context';

/** Of a namespace that is left out. */
export const NAMESPACE_NEEDED = NO_NAMESPACE.replace('is not accepted', 'is required');

const Metadata = z.looseObject({
  name: z.string().min(1),
  namespace: z.string().min(1, { error: NO_NAMESPACE }),
  uid: z.string().optional(),
  generation: z.int().optional(),
  creationTimestamp: z.string().optional(),
  deletionTimestamp: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});

/** Crossplane's own part of a v2 XR's spec; a parent passes its compositionSelector on to its children. */
export const machinery = {
  crossplane: z
    .looseObject({
      compositionSelector: z.looseObject({ matchLabels: z.record(z.string(), z.string()) }).optional(),
      // Crossplane alone reads these.
      compositionRef: z.unknown().optional(),
      compositionRevisionRef: z.unknown().optional(),
      compositionRevisionSelector: z.unknown().optional(),
      compositionUpdatePolicy: z.unknown().optional(),
    })
    .optional(),
};

/** The whole object as a function parses it: spec strictly, so that a typo is an error and not a silence. */
export function composite<Kind extends string, Spec extends z.ZodType, Status extends z.ZodType>(
  kind: Kind,
  spec: Spec,
  status: Status,
) {
  return z.looseObject({
    apiVersion: z.literal(API_VERSION),
    kind: z.literal(kind),
    metadata: Metadata,
    spec,
    status: status.optional(),
  });
}
