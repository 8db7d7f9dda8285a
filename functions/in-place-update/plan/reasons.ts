/**
 * Why a machine is held: somebody has to do something. Each sentence follows the machine's name, tells the cause and,
 * last, what ends it: `crossplane resource trace` shows the last 64 characters, and somebody reads them at night.
 */
export const HELD = {
  fallback: (why: string) =>
    `its change cannot be made in place (${why}) and update.fallback is Hold: revert the change, set update.fallback to Recreate, or delete the Machine to have it replaced`,
  unavailable: () =>
    'its update makes it unavailable, update.maxUnavailable is 0 and update.fallback is Hold: raise update.maxUnavailable, or set update.fallback to Recreate',
  failed: (why: string | undefined) =>
    `its update failed: ${why ?? 'the machine does not say why'}; change the field again, or delete the Machine to have it replaced`,
  several: (count: number, first: string) => `${count} fields are held, the first because ${first}`,
} as const;
