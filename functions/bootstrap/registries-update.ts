/**
 * Brings mirrors of registries to a node that exists. A registry that the Machine has no more is left as it is: the rules
 * replace the machine for it.
 */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { NodeScript } from '#lib/fn/node-update.ts';
import { bringing, whenBrought } from '#lib/fn/brought-files.ts';

/** Files as the first boot writes them. */
export interface RegistriesUpdate {
  /** Read before each pull. */
  readonly files: readonly PlanFile[];
  /** Read only when a systemd unit starts, which does not stop containers. */
  readonly ofUnit?: { readonly unit: string; readonly files: readonly PlanFile[] };
  /** Shell that fails where nobody would read them. */
  readonly check?: string;
}

export function registriesScript({ files, ofUnit, check }: RegistriesUpdate): NodeScript {
  const parts = [
    '#!/bin/sh\n# Mirrors of registries of this node, as its Machine has them now.\nset -eu\n',
    ...(check === undefined ? [] : [`${check}\n`]),
    ...(files.length === 0 ? [] : [bringing(files, PENDING), whenBrought(':')]),
    ...(ofUnit === undefined
      ? []
      : [bringing(ofUnit.files, PENDING_UNIT), whenBrought(`systemctl restart ${ofUnit.unit}.service`)]),
  ];
  return { fields: ['spec.provisioning.registries'], script: parts.join('') };
}

const PENDING = '/run/slipway-registries.pending';
const PENDING_UNIT = '/run/slipway-registries-unit.pending';
