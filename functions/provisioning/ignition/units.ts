/** systemd units: the one that runs the script, those of the plan and of the claim, mounts and swap. */
import type { FilledUnit } from '#lib/api/fields/customisation.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Order } from '../provisioner.ts';
import { SCRIPT_PATH } from '../script.ts';
import { type HostFile, rootFile } from '../host-file.ts';
import type { IgnitionUnit } from './config.ts';
import { isOnDataDisk, isOptional, mountUnits } from './mounts.ts';
import { isHidden } from './rules.ts';
import { swapUnits } from './swap.ts';

export const BOOTSTRAP_UNIT = 'slipway-bootstrap.service';

/** Units that may contain secrets, as the files of systemd: generated ones, and those with contents from a Secret. */
export function unitFiles({ plan, customisation }: Order<'scripted'>): readonly HostFile[] {
  const hidden = customisation.units
    .filter(isHidden)
    .flatMap(({ name, contents, dropIns }) => [
      { name, contents },
      ...dropIns.map((dropIn) => ({ name: `${name}.d/${dropIn.name}`, contents: dropIn.contents })),
    ]);
  return [...plan.units, ...hidden].flatMap(({ name, contents }) =>
    contents === undefined ? [] : [{ ...rootFile(`/etc/systemd/system/${name}`, contents, '0644'), sealed: true }],
  );
}

/** Throws InvalidClaim for a unit that is written twice. */
export function unitsOf(order: Order<'scripted'>): readonly IgnitionUnit[] {
  const { plan, customisation, owner } = order;
  const { units: claimed, swap } = customisation;
  const units = [
    ...mountUnits(customisation),
    ...swapUnits(swap),
    { name: BOOTSTRAP_UNIT, enabled: true, contents: bootstrapUnit(order) },
  ];
  const theirs = claimed.map((unit) => (isHidden(unit) ? { name: unit.name } : shownUnit(unit)));
  // The script enables and starts the units of plan and claim, in its order, so that failures are reported.
  const taken = new Set(
    [...units, ...plan.units.filter(({ contents }) => contents !== undefined)].map(({ name }) => name),
  );
  for (const [index, { name }] of theirs.entries()) {
    if (taken.has(name))
      throw refusal(owner, `spec.provisioning.units[${index}].name`, name, 'a unit that nothing else writes');
    taken.add(name);
  }
  return [...units, ...theirs.filter(({ contents, dropins }) => contents !== undefined || dropins !== undefined)];
}

function shownUnit({ name, contents, dropIns }: FilledUnit): IgnitionUnit {
  const dropins = dropIns.map((dropIn) => ({ name: dropIn.name, contents: dropIn.contents }));
  return {
    name,
    ...(contents === undefined ? {} : { contents }),
    ...(dropins.length === 0 ? {} : { dropins }),
  };
}

/**
 * Runs once per boot and is never restarted by systemd: a failure stays visible in `systemctl status`. Tools for images
 * with a read-only /usr are in /opt/bin.
 */
function bootstrapUnit({ plan, customisation }: Order<'scripted'>): string {
  const { mounts, dataDisks } = customisation;
  const needed = mounts
    .filter((mount) => !isOptional(mount) && !isOnDataDisk(mount, dataDisks))
    .map(({ path }) => path);
  return [
    '[Unit]',
    'Description=Makes this host a Kubernetes node',
    `ConditionPathExists=!${plan.sentinel.replaceAll('%', '%%')}`,
    'Wants=network-online.target',
    'After=network-online.target',
    ...(needed.length === 0 ? [] : [`RequiresMountsFor=${needed.join(' ')}`]),
    '',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    'Restart=no',
    'Environment=PATH=/opt/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    `ExecStart=/bin/sh ${SCRIPT_PATH}`,
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n');
}
