/** Hosts of somebody else, for the machine step: a claim of one, and first-boot data that its owner hands over. */
import { z } from 'zod';
import { resizable } from '#lib/cloud/fields.ts';
import type { MachineCloud } from '#lib/cloud/machine.ts';
import type { NeutralMachineInput } from '#lib/cloud/machine-input.ts';
import { EXISTING_FIELDS } from '../fields.ts';
import { HOST } from '../kinds.ts';
import { OVERRIDABLE } from '../overridable.ts';
import { hostClaim } from './host-claim.ts';
import { read } from './read.ts';

export const existing: MachineCloud<NeutralMachineInput> = {
  title: 'existing hosts',
  overridable: OVERRIDABLE,
  input: z.strictObject({}),
  machineKey: HOST,
  laterKinds: new Set(),
  comesAndGoes: () => false,
  resizable: resizable(EXISTING_FIELDS),
  plan(situation, infrastructure, boot) {
    const { resource, kept } = hostClaim(situation, infrastructure);
    return {
      resources: new Map([[HOST, resource]]),
      bytes: boot.bytes.length,
      blockedBy: undefined,
      notes: [],
      kept,
      unfinished: undefined,
    };
  },
  read,
};
