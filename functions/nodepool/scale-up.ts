/**
 * Which slots are added when there are too few: the lowest free numbers, in the failure domain with the fewest
 * machines.
 */
import { counted } from '#lib/api/counted.ts';
import type { Remediation } from '#lib/api/kinds/node-pool.ts';
import { exhausted } from './capacity.ts';
import { blockingMember } from './joining.ts';
import { leastUsed } from './placement.ts';
import type { PlanInput, Slot } from './slot.ts';
import type { Scaled } from './scale-down.ts';

/** The most workers that Crossplane has not reconciled yet: it ends a reconcile of their pool after two minutes. */
const WAVE = 25;

/**
 * Control-plane machines join one after another and, if they are etcd members, only while all others are ready. A
 * replacement of a failed machine joins while etcd keeps its majority even if it fails. The first new machines replace
 * those that were given up.
 */
export function scaleUp(input: PlanInput, kept: readonly Slot[], pending: readonly Remediation[]): Scaled {
  const { pool, machines, leaving, domains, noNewMachines } = input;
  const missing = pool.spec.replicas - kept.length;
  if (missing === 0) return { slots: kept, releases: [], notes: [] };
  const message = `creating ${counted(missing, 'machine')}: ${kept.length} of ${pool.spec.replicas} exist`;
  const waits = (why: string, heldBy?: 'NoNewMachines'): Scaled => ({
    slots: kept,
    releases: [],
    notes: [{ kind: 'ScalingUp', message: `${message}; ${why}`, ...(heldBy === undefined ? {} : { heldBy }) }],
  });
  if (noNewMachines !== undefined) return waits(noNewMachines, 'NoNewMachines');
  const controlPlane = pool.spec.role === 'control-plane';
  const blocking = controlPlane ? blockingMember(input, kept, pending.length > 0) : undefined;
  if (blocking !== undefined) return waits(`the next one joins once Machine ${blocking.name} is ready`);
  const taken = new Set([...machines.map(({ slot }) => slot), ...leaving]);
  const avoided = exhausted(machines, [...input.pending, ...pending], input.now);
  const slots = [...kept];
  const early = machines.filter(({ composed }) => !composed).length;
  const now = Math.min(missing, controlPlane ? 1 : WAVE - early);
  if (now <= 0) return waits(`the next ones follow once Crossplane has composed ${early} of them`);
  for (let number = 0; slots.length < kept.length + now; number += 1) {
    if (taken.has(number)) continue;
    const used = slots.map(({ failureDomain }) => failureDomain);
    const remediationFor = pending[slots.length - kept.length];
    slots.push({ number, failureDomain: leastUsed(domains, used, avoided), initialize: false, remediationFor });
  }
  return { slots, releases: [], notes: [{ kind: 'ScalingUp', message }] };
}
