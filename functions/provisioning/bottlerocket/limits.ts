/** What TOML cannot express. */
import { refusalFor } from '#lib/api/refusal.ts';

/**
 * TOML has no null, and omitting it would lose it silently. Throws InvalidClaim for the first null.
 * @param field its dotted path
 */
export function refuseNull(value: unknown, field: string, owner: string): void {
  if (value === null)
    throw refusalFor(owner, field, 'is null, which TOML cannot express; accepted: a value, or no such field');
  if (typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value as Readonly<Record<string, unknown>>))
    refuseNull(inner, `${field}.${key}`, owner);
}
