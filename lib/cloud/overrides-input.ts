/** What a Composition allows claims to override, for both steps that compose resources of a cloud. */
import { z } from 'zod';

const PATH = /^(spec\.forProvider|metadata\.(labels|annotations)$)(\.[A-Za-z0-9]+)*$/;

export const overridesInput = () =>
  z
    .record(
      z.string().min(1).max(63),
      z
        .array(
          z.string().max(256).regex(PATH, {
            error:
              'is not a field; accepted: metadata.labels, metadata.annotations, or spec.forProvider and what is below it',
          }),
        )
        .max(64),
    )
    .optional()
    .describe(
      'Fields that claims may set with spec.infrastructure.overrides, by kind; * stands for every kind. A field includes everything below it. Whoever may claim a cluster can set them: leave out identities, networks and encryption. Default: a short list of harmless fields of the cloud.',
    );
