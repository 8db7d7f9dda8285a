/** Additional Ignition fields of a claim, merged with those that Slipway writes. */
import { canonical, isJsonObject, type JsonObject, own } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { oneOf } from '#lib/api/nearest.ts';

/** Sections, whose fields are merged one by one. */
const SECTIONS = ['ignition', 'kernelArguments', 'networkd', 'passwd', 'storage', 'systemd'];

/**
 * Throws InvalidClaim for a field that Slipway already writes, or that is not an Ignition field.
 * @param format of the claim
 */
export function withRaw(
  config: JsonObject,
  raw: Readonly<Record<string, unknown>> | undefined,
  format: string,
  owner: string,
): JsonObject {
  const merged: Record<string, JsonObject[string]> = { ...config };
  // Sorted: the same claim with another order of keys gives the same text.
  for (const [section, fields] of Object.entries(JSON.parse(canonical(raw ?? {})) as JsonObject)) {
    const field = `spec.provisioning.raw.${format}.${section}`;
    if (!SECTIONS.includes(section) || !isJsonObject(fields))
      throw refusalFor(owner, field, `is not accepted; accepted: an object at one of ${oneOf(section, SECTIONS)}`);
    const ours = own(merged, section);
    const taken = Object.keys(fields).find((name) => isWritten(section, name, ours));
    if (taken !== undefined)
      throw refusalFor(
        owner,
        `${field}.${taken}`,
        'is set by other fields; accepted: the matching fields of spec.provisioning, or other fields',
      );
    merged[section] = { ...(isJsonObject(ours) ? ours : {}), ...fields };
  }
  return merged;
}

function isWritten(section: string, name: string, ours: unknown): boolean {
  if (section === 'ignition') return name === 'version' || name === 'config';
  return isJsonObject(ours) && Object.hasOwn(ours, name);
}

/** The lowest specification that supports the raw fields. */
export function versionOf(config: JsonObject): string {
  const text = JSON.stringify(isJsonObject(config['storage']) ? (config['storage']['luks'] ?? []) : []);
  if (/"cex":/.test(text)) return '3.5.0';
  return /"(discard|openOptions)":/.test(text) ? '3.4.0' : '3.3.0';
}
