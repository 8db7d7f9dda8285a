/** Which managed resources may stand for an existing part, and what of them is its id. */
import { refusal } from '#lib/api/refusal.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { output } from './observed.ts';

export type ReferablePart =
  'network' | 'subnets' | 'securityGroups' | 'identities' | 'loadBalancerTargets' | 'resourceGroup' | 'encryptionKey';

export interface Referable {
  /** A reference means the one of these that there is. */
  readonly kinds: readonly { readonly apiVersion: string; readonly kind: string }[];
  /** Its id as claims say it, once the provider reported it. */
  readonly idOf: (object: KubeObject) => string | undefined;
}

/** A text is what a claim may say instead: it follows "accepted: ". */
export type References = Readonly<Record<ReferablePart, Referable | string>>;

/** @param field of status.atProvider with the id */
export function referable(apiVersion: string, kinds: readonly string[], field = 'id'): Referable {
  return {
    kinds: kinds.map((kind) => ({ apiVersion, kind })),
    idOf: (object) => output(object, field),
  };
}

/** Throws InvalidClaim for a part that no managed resource can stand for. @param what the claim says of the resource */
export function referableBy(
  references: References | undefined,
  part: ReferablePart,
  { field, what, owner }: { readonly field: string; readonly what: string; readonly owner: string },
): Referable {
  const found = references?.[part] ?? 'its id';
  if (typeof found === 'string') throw refusal(owner, field, what, found);
  return found;
}
