/** Fields that Bottlerocket cannot express: its settings are TOML, and there are few. */
import type { SlipwayError } from '#lib/api/errors.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { cannotExpress } from '#lib/cloud/expressible.ts';

/** A value that Bottlerocket cannot express. */
export function cannotSay(owner: string, field: string, instead: string): SlipwayError {
  return cannotExpress('bottlerocket', owner, `spec.provisioning.${field}`, instead);
}

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
