/** Users and passwords for mirrors of registries, for tools that list them by host. */
import type { FilledRegistry } from '#lib/api/fields/customisation.ts';
import { refusalFor } from '#lib/api/refusal.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** By host of the mirrors. Throws InvalidClaim for a mirror that would get two. */
export function credentialsByHost(
  registries: readonly FilledRegistry[],
  owner: string,
): ReadonlyMap<string, Credentials> {
  const texts = new Map<string, string>();
  for (const [index, { mirrors, credentials }] of registries.entries()) {
    if (credentials === undefined) continue;
    for (const { host } of mirrors.map((mirror) => new URL(mirror))) {
      if ((texts.get(host) ?? credentials) !== credentials)
        throw refusalFor(
          owner,
          `spec.provisioning.registries[${index}].credentialsFrom`,
          `mirror "${host}" has other credentials in another entry; accepted: one user for each mirror`,
        );
      texts.set(host, credentials);
    }
  }
  return new Map([...texts].map(([host, text]) => [host, split(text)]));
}

/** A user name has no colon. */
function split(text: string): Credentials {
  const colon = text.indexOf(':');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
