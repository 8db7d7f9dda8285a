/** The key that encrypts what a machine stores: that of its Cluster or else that of the Composition. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';

/** Undefined: the keys of the cloud. @param byPlatform the key of the Composition */
export function encryptionKey(
  { existing }: Pick<InfrastructureStatus, 'existing'>,
  byPlatform: string | undefined,
): string | undefined {
  return existing?.encryptionKey?.id ?? byPlatform;
}
