/** TOML has no null, and what is left out of it would be lost in silence. */
import { SlipwayError } from '#lib/api/errors.ts';

/** Throws InvalidClaim for the first null. @param field  its dotted path */
export function refuseNull(value: unknown, field: string, owner: string): void {
  if (value === null)
    throw new SlipwayError(
      'InvalidClaim',
      `cannot accept ${owner}: ${field}: is null, which TOML does not know; accepted: a value, or nothing`,
    );
  if (typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value as Readonly<Record<string, unknown>>))
    refuseNull(inner, `${field}.${key}`, owner);
}
