/** The store of a workload cluster, as far as leaving it goes; one file for each kind. */
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import type { MemberRef } from '#lib/node/decision.ts';
import type { EtcdMember } from '#lib/node/situation.ts';

export interface Store {
  /** All members. Throws what keeps it from being read. */
  members(): Promise<readonly EtcdMember[]>;
  /** `Asked`: the members will show when it has left. Throws why it was refused. */
  leave(leaving: Leaving): Promise<'Left' | 'Asked'>;
}

export interface Leaving {
  readonly member: MemberRef;
  /** Node that becomes the leader first; undefined: the member is not the leader, or the store sees to it. */
  readonly leaderTo?: string;
}

/** Values of the Secret of `spec.membership`, by key. */
export type Secret = Readonly<Record<string, string>>;

/** The token for the header `capi-auth-token`. Throws an Error if there is none. */
export function authTokenIn(secret: Secret): string {
  const token = secret[AUTH_TOKEN.key] ?? '';
  // A header takes no line breaks.
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new Error(`its Secret has no key ${AUTH_TOKEN.key} that a header can hold`);
}
