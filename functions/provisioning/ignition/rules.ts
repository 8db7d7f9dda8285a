/** Values that Ignition cannot express. Fields that it cannot express at all are in its traits. */
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { refusalFor } from '#lib/api/refusal.ts';

/** Throws Unsupported for an option that only works in /etc/fstab; a unit would accept and ignore it. */
export function refuseFstabWords({ mounts }: Pick<Claimed, 'mounts'>, owner: string): void {
  for (const [index, { options }] of mounts.entries())
    for (const [at, option] of options.entries())
      if (/^(x-systemd\.|(no)?auto$|_netdev$)/.test(option))
        throw refusalFor(
          owner,
          `spec.provisioning.mounts[${index}].options[${at}]`,
          `ignition cannot express ${JSON.stringify(option)}; accepted: options of mount(8), or units with a mount unit of your own`,
          'Unsupported',
        );
}
