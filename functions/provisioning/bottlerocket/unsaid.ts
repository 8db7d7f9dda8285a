import { SlipwayError } from '#lib/api/errors.ts';

/** A value that Bottlerocket has no words for. */
export function unsaid(owner: string, field: string, instead: string): SlipwayError {
  return new SlipwayError(
    'Unsupported',
    `cannot accept ${owner}: spec.provisioning.${field}: bottlerocket cannot express it; accepted: ${instead}`,
  );
}
