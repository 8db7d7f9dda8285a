/** The pool's Machines as the planner needs them: which slot, where, how well. */
import { z } from 'zod';
import { conditionOf, isCompositeReady } from '#lib/api/conditions.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { MachineStatus } from '#lib/api/kinds/machine.ts';
import { describeObject } from '#lib/api/names.ts';
import { stringAt } from '#lib/api/json.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONDITION, GROUP, LABEL } from '#lib/api/words.ts';

export interface PoolMachine {
  /** Composition resource name. */
  readonly key: string;
  readonly name: string;
  readonly slot: number;
  readonly failureDomain: string | undefined;
  readonly ready: boolean;
  /** The cloud gave it another id or none: it will not come back. */
  readonly lost: boolean;
  /** It became a node at some time. */
  readonly isNode: boolean;
  /** How many machines the pool had made before. */
  readonly serial: number;
  /** Version its kubelet reports. */
  readonly version: string | undefined;
  readonly object: KubeObject;
}

/**
 * Reads the composed Machines. One whose slot cannot be read stops the call: left out, it would be deleted. One on its way out is not desired again:
 * gone in the meantime, it would be made anew under its name, and its deletion would have had no effect.
 */
export function readMachines(observed: ReadonlyMap<string, KubeObject>): readonly PoolMachine[] {
  return [...observed].flatMap(([key, object]) => {
    if (object.metadata?.deletionTimestamp !== undefined) return [];
    if (object.kind !== 'Machine' || !object.apiVersion.startsWith(`${GROUP}/`)) return [];
    return [readMachine(key, slotOf(object), object)];
  });
}

function slotOf(object: KubeObject): number {
  const label = object.metadata?.labels?.[LABEL.slot] ?? '';
  if (/^(0|[1-9][0-9]{0,4})$/.test(label)) return Number(label);
  throw new SlipwayError(
    'InvalidObserved',
    `cannot read ${describeObject(object)}: label ${LABEL.slot} is ${JSON.stringify(label.slice(0, 63))}; accepted: the whole number it was made with, which its name tells`,
  );
}

const Observed = z.looseObject({ status: MachineStatus.optional() });

function readMachine(key: string, slot: number, object: KubeObject): PoolMachine {
  const { status } = parseAs(Observed, { status: object.status }, describeObject(object), 'InvalidObserved');
  return {
    key,
    name: object.metadata?.name ?? key,
    slot,
    failureDomain: stringAt(object, 'spec', 'failureDomain'),
    ready: isCompositeReady(object),
    lost: conditionOf(object, CONDITION.nodeHealthy)?.reason === 'MachineLost',
    isNode: status?.nodeRef !== undefined,
    serial: serialOf(object),
    version: status?.version,
    object,
  };
}

/** The first releases wrote none. */
export function serialOf(object: KubeObject): number {
  const serial = Number(object.metadata?.labels?.[LABEL.serial] ?? 0);
  return Number.isInteger(serial) ? serial : 0;
}
