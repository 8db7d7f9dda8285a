/** A swap file: a service creates it once, a unit enables it on every boot. */
import { posix } from 'node:path';
import type { Customisation } from '#lib/api/fields/customisation.ts';
import type { Step } from '../script.ts';
import { type HostFile, rootFile } from '../host-file.ts';
import type { IgnitionUnit } from './config.ts';
import { SWAP_SCRIPT } from './rules.ts';
import { unitNameOf } from './unit-name.ts';

type Swap = NonNullable<Customisation['swap']>;

const MAKER = 'slipway-swap-file.service';

export function swapUnits(swap: Swap | undefined): readonly IgnitionUnit[] {
  if (swap === undefined) return [];
  const path = posix.normalize(swap.path);
  const maker = [
    '[Unit]',
    'DefaultDependencies=no',
    'After=local-fs.target',
    `RequiresMountsFor=${path}`,
    `ConditionPathExists=!${path}`,
    '',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    `ExecStart=/bin/sh ${SWAP_SCRIPT}`,
    '',
  ];
  const user = [
    '[Unit]',
    `Requires=${MAKER}`,
    `After=${MAKER}`,
    '',
    '[Swap]',
    `What=${path}`,
    '',
    '[Install]',
    'WantedBy=swap.target',
    '',
  ];
  return [
    { name: MAKER, contents: maker.join('\n') },
    { name: unitNameOf(path, 'swap'), enabled: true, contents: user.join('\n') },
  ];
}

/**
 * Written to a temporary name first, so that an incomplete file is never used, and in full, because swap files must not
 * be sparse.
 */
export function swapFiles(swap: Swap | undefined): readonly HostFile[] {
  if (swap === undefined) return [];
  const path = posix.normalize(swap.path);
  const next = `${path}.next`;
  const lines = [
    '#!/bin/sh',
    'set -eu',
    'umask 077',
    `mkdir -p ${posix.dirname(path)}`,
    `dd if=/dev/zero of=${next} bs=1M count=${swap.sizeMiB} status=none`,
    `mkswap ${next}`,
    `mv ${next} ${path}`,
    '',
  ];
  return [rootFile(SWAP_SCRIPT, lines.join('\n'), '0700')];
}

/** Reports a host that booted without it. */
export function swapStep({ path }: Swap): Step {
  return { field: 'swap', command: `swapon --show=NAME --noheadings | grep -qx ${posix.normalize(path)}` };
}
