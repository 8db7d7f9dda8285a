/** Top-level keys a claim says in cloud-init's own words. */
import type { Customisation } from '#lib/api/fields/provisioning.ts';
import { canonical } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';

const FORMAT = 'cloud-init';

/** Throws InvalidClaim for a key that is written anyway. */
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
  // In one order: the same claim, written in another order, is the same text.
  return { ...config, ...(JSON.parse(canonical(own)) as Readonly<Record<string, unknown>>) };
}
