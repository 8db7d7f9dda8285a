/**
 * Why a machine is held and needs your action. Each sentence follows the name of the machine and ends with what to do:
 * `crossplane resource trace` only shows the last 64 characters.
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
