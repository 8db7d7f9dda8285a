/** Additional top-level keys of a claim for cloud-init. */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { canonical } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';

const FORMAT = 'cloud-init';

/** Throws InvalidClaim for a key that is set by other fields. */
export function withRaw(
  config: Readonly<Record<string, unknown>>,
  { raw }: Pick<Customisation, 'raw'>,
  owner: string,
): Readonly<Record<string, unknown>> {
  const own = raw[FORMAT] ?? {};
  const written = Object.keys(own).find((key) => Object.hasOwn(config, key));
  if (written !== undefined)
    throw refusalFor(
      owner,
      `spec.provisioning.raw.${FORMAT}.${written}`,
      'is set by other fields; accepted: the matching fields of spec.provisioning, or other keys',
    );
  // Sorted: the same claim with another order of keys gives the same text.
  return { ...config, ...(JSON.parse(canonical(own)) as Readonly<Record<string, unknown>>) };
}
