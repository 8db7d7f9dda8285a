/** What claims may override on hosts of somebody else when the Composition does not say it: what its owner installs. */
import type { Overridable } from '#lib/fn/overridable.ts';

export const OVERRIDABLE: Overridable = { HostClaim: ['spec.forProvider.image'] };
