/** The Machines of the pool for the planner: slot, place, health. */
import { z } from 'zod';
import { availableAt, conditionOf, isCompositeReady } from '#lib/api/conditions.ts';
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { timeOf } from '#lib/api/fields/text.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { MachineStatus } from '#lib/api/kinds/machine.ts';
import { Remediation } from '#lib/api/kinds/node-pool.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { ANNOTATION, API_VERSION, CONDITION, GROUP, LABEL } from '#lib/api/words.ts';

export interface PoolMachine {
  /** Composition resource name. */
  readonly key: string;
  readonly name: string;
  readonly slot: number;
  readonly failureDomain: string | undefined;
  readonly ready: boolean;
  /** Crossplane has reconciled it once. */
  readonly composed: boolean;
  /** An in-place update was requested and has not ended. */
  readonly updating: boolean;
  /** The update began: from then on it has a timeout, before that it may wait for ever. */
  readonly begun: boolean;
  /** When it counts as available, in milliseconds since 1970; undefined: not as it is now. */
  readonly availableAt: number | undefined;
  /** The cloud gave it another id or none: it will not recover. */
  readonly lost: boolean;
  /** It was a node on a spot machine, and is lost: the cloud took it back, which is no failure. */
  readonly takenBack: boolean;
  /** Its own claim is refused: another machine with the same template would be refused as well. */
  readonly refused: boolean;
  /** It became a node earlier. */
  readonly isNode: boolean;
  /** How many machines the pool had created before it. */
  readonly serial: number;
  /** Version its kubelet reports. */
  readonly version: string | undefined;
  /** Version it was created with. */
  readonly wantedVersion: string | undefined;
  /** Milliseconds since 1970; undefined if not known. */
  readonly createdAt: number | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** The unhealthy machine that it replaced, if any. */
  readonly remediationFor: Remediation | undefined;
  /** The `update.rolloutAfter` that it was created for. */
  readonly rolloutAfter: string | undefined;
  readonly object: KubeObject;
}

/**
 * Reads the composed Machines, sorted by composition resource name. A Machine with an unreadable slot stops the call:
 * leaving it out would delete it. A Machine that is being deleted is not desired again: if it were gone in the
 * meantime, it would be created again under its name, and the deletion would have no effect.
 */
export function readMachines(
  observed: ReadonlyMap<string, KubeObject>,
  minReadySeconds: number,
): readonly PoolMachine[] {
  const sorted = [...observed].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([key, object]) => {
    if (object.metadata?.deletionTimestamp !== undefined) return [];
    if (object.kind !== 'Machine' || !object.apiVersion.startsWith(`${GROUP}/`)) return [];
    // The same Machine in any API version.
    return [readMachine(key, slotOf(object), { ...object, apiVersion: API_VERSION }, minReadySeconds)];
  });
}

function slotOf(object: KubeObject): number {
  const label = object.metadata?.labels?.[LABEL.slot] ?? '';
  if (/^(0|[1-9][0-9]{0,4})$/.test(label)) return Number(label);
  throw new SlipwayError(
    'InvalidObserved',
    `cannot read ${describeObject(object)}: label ${LABEL.slot} is ${JSON.stringify(label.slice(0, 63))}; accepted: the whole number in its name`,
  );
}

const Observed = z.looseObject({ status: MachineStatus.optional() });

function readMachine(key: string, slot: number, object: KubeObject, minReadySeconds: number): PoolMachine {
  const { status } = parseAs(Observed, { status: object.status }, describeObject(object), 'InvalidObserved');
  const lost = conditionOf(object, CONDITION.nodeHealthy)?.reason === 'MachineLost';
  const isNode = status?.nodeRef !== undefined;
  return {
    key,
    name: object.metadata?.name ?? key,
    slot,
    failureDomain: stringAt(object, 'spec', 'failureDomain'),
    ready: isCompositeReady(object),
    composed: conditionOf(object, 'Ready') !== undefined,
    updating: isUpdating(object, status),
    begun: isUpdating(object, status) && hasBegun(object, status),
    availableAt: availableAt(object, minReadySeconds),
    lost,
    takenBack: lost && isNode && stringAt(object, 'spec', 'machine', 'capacityType') === 'spot',
    refused: conditionOf(object, CONDITION.claimAccepted)?.status === 'False',
    isNode,
    serial: serialOf(object),
    version: status?.version,
    wantedVersion: stringAt(object, 'spec', 'version'),
    createdAt: timeOf(object.metadata?.creationTimestamp),
    annotations: object.metadata?.annotations ?? {},
    remediationFor: remediationOf(object.metadata?.annotations?.[ANNOTATION.remediationFor]),
    rolloutAfter: stringAt(object, 'spec', 'rolloutAfter'),
    object,
  };
}

/** It may have been edited: unreadable data is ignored. */
function remediationOf(text: string | undefined): Remediation | undefined {
  try {
    return Remediation.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
}

function isUpdating(object: KubeObject, status: MachineStatus | undefined): boolean {
  const ordered = stringAt(object, 'spec', 'update', 'id');
  const reported = status?.update;
  return ordered !== undefined && !(reported?.id === ordered && hasEnded(reported.phase));
}

function hasBegun(object: KubeObject, status: MachineStatus | undefined): boolean {
  const reported = status?.update;
  return (
    reported !== undefined && reported.id === stringAt(object, 'spec', 'update', 'id') && reported.phase !== 'Pending'
  );
}

/** The first releases did not write it. */
export function serialOf(object: KubeObject): number {
  const serial = Number(object.metadata?.labels?.[LABEL.serial] ?? 0);
  return Number.isInteger(serial) ? serial : 0;
}
