/** The status of a Machine: current data, and earlier data that is no longer visible. */
import type { MachineUpdateStatus } from '#lib/api/contracts/machine-update.ts';
import type { Json, JsonObject } from '#lib/api/json.ts';
import type { MachineStatus } from '#lib/api/kinds/machine.ts';
import { payloadName } from '#lib/cloud/first-boot.ts';
import type { MachineState } from './state.ts';
import type { Progress } from './progress.ts';
import type { Situation } from './situation.ts';
import { sizeOf } from './size.ts';

/** @param bytes size of the first-boot data as sent to the cloud */
export function statusOf(
  situation: Situation,
  progress: Progress,
  bytes: number | undefined,
  update: MachineUpdateStatus | undefined,
): JsonObject {
  const { state, machineKey, boot, waiting } = progress;
  const { previous, observed } = situation;
  const { node, virtualMachine } = state;
  const name = nodeName(situation, state);
  const addresses = virtualMachine.addresses.length > 0 ? virtualMachine.addresses : (previous.addresses ?? []);
  const size = sizeOf(situation, state);
  const isBegun = observed.has(machineKey) || (boot !== undefined && waiting === undefined);
  return present({
    phase: phaseOf(situation, state, isBegun, update?.phase),
    providerID: state.providerID,
    instanceID: state.instanceID,
    nodeRef: name === undefined ? undefined : { name },
    addresses: addresses.length === 0 ? undefined : addresses.map(({ type, address }) => ({ type, address })),
    version: node.nodeInfo?.kubeletVersion ?? previous.version,
    // Without heartbeats: a status that changes every few seconds would open the circuit breaker.
    nodeConditions: (node.nodeConditions ?? previous.nodeConditions)?.filter(isNews).map(withoutHeartbeat),
    failureDomain: state.failureDomain,
    size: size === undefined ? undefined : { instanceType: size.instanceType, classes: [...size.classes] },
    payload: payloadOf(situation, progress, bytes),
    update: update === undefined ? undefined : present({ id: update.id, phase: update.phase, message: update.message }),
  });
}

/** Status is applied as a whole: unknown fields are left out. */
function present(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function payloadOf(
  { machine, previous }: Situation,
  { boot }: Progress,
  given: number | undefined,
): JsonObject | undefined {
  const format = boot?.format ?? previous.payload?.format;
  const bytes = given ?? previous.payload?.bytes;
  if (format === undefined || bytes === undefined) return undefined;
  return { secretName: payloadName(machine.metadata.name), format, bytes };
}

type NodeCondition = NonNullable<MachineStatus['nodeConditions']>[number];

function withoutHeartbeat({ type, status, lastTransitionTime }: NodeCondition): JsonObject {
  return present({ type, status, lastTransitionTime });
}

/**
 * Conditions that every Node has and that do not matter while False; a pool of a thousand machines would store them a
 * thousand times.
 */
const PRESSURES: ReadonlySet<string> = new Set(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable']);

function isNews({ type, status }: NodeCondition): boolean {
  return status !== 'False' || !PRESSURES.has(type);
}

/** The node; kept for ever once it registered. */
export function nodeName({ previous }: Situation, { node }: MachineState): string | undefined {
  return node.nodeRef?.name ?? previous.nodeRef?.name;
}

/** Whether an update is running on the node, so that it may be unavailable. */
export function isAtWork(phase: string | undefined): boolean {
  return phase === 'Draining' || phase === 'Running' || phase === 'Verifying';
}

/** Phases of Cluster API: the progress of the machine, not its health, which is in NodeHealthy. */
function phaseOf(situation: Situation, state: MachineState, isBegun: boolean, update: string | undefined): string {
  if (situation.machine.metadata.deletionTimestamp !== undefined) return 'Deleting';
  if (state.lost !== undefined) return 'Failed';
  if (isAtWork(update)) return 'Updating';
  if (nodeName(situation, state) !== undefined) return 'Running';
  if (state.instanceID !== undefined && state.virtualMachine.running) return 'Provisioned';
  return isBegun ? 'Provisioning' : 'Pending';
}
