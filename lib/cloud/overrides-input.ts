/** What a Composition allows claims to override, for both steps that compose resources of a cloud. */
import { z } from 'zod';

const NAME = '[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?';
const DOMAIN = '[a-z0-9]([-a-z0-9.]*[a-z0-9])?';
/** A label or annotation has a stated key, or a stated prefix: others belong to other controllers. */
const KEY = `(${DOMAIN}/)?${NAME}|${DOMAIN}/\\*`;
const PATH = new RegExp(`^(spec\\.forProvider(\\.[A-Za-z0-9]+)*|metadata\\.(labels|annotations)\\["(${KEY})"\\])$`);

export const overridesInput = () =>
  z
    .record(
      z.string().min(1).max(63),
      z
        .array(
          z.string().max(256).regex(PATH, {
            error:
              'is not a field; accepted: spec.forProvider and what is below it, or labels and annotations by key or prefix, such as metadata.labels["example.com/*"]',
          }),
        )
        .max(64),
    )
    .optional()
    .describe(
      'Fields that claims may set with spec.infrastructure.overrides, by kind; * stands for every kind. A field includes everything below it. Whoever may claim a cluster can set them: leave out identities, networks, encryption and tags. Labels and annotations are listed by key or prefix, such as metadata.labels["example.com/*"]: leave out those that tell other controllers what to do. Default: a short list of harmless fields of the cloud.',
    );
