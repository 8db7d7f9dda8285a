/** The state of a machine, from the reports of cloud and node: pure data for status, conditions and readiness. */
import { z } from 'zod';
import { conditionOf, isManagedReady } from '#lib/api/conditions.ts';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { type WorkloadNodeStatus as NodeStatus, WorkloadNodeStatus } from '#lib/api/kinds/workload-node.ts';
import { describeObject } from '#lib/api/names.ts';
import { controllerUid } from '#lib/api/owner.ts';
import { parseAs } from '#lib/api/parse.ts';
import type { VirtualMachine } from '#lib/cloud/machine.ts';
import { providerIDOf } from '#lib/cloud/provider-id.ts';
import { NODE } from './node.ts';
import type { Situation } from './situation.ts';

export interface MachineState {
  readonly virtualMachine: VirtualMachine;
  /** The first id the cloud gave. */
  readonly instanceID: string | undefined;
  readonly providerID: string | undefined;
  /** The machine with the first id no longer exists: if something runs now, it is not the original node. */
  readonly lost: string | undefined;
  readonly node: NodeStatus;
  readonly nodeReady: boolean;
  readonly failureDomain: string | undefined;
}

const Own = z.looseObject({ status: WorkloadNodeStatus });

/** @param made  whether the managed resource of the virtual machine exists */
export function machineStateOf(
  situation: Situation,
  virtualMachine: VirtualMachine,
  made: boolean,
  infrastructure: InfrastructureStatus | undefined,
): MachineState {
  const { machine, previous, observed } = situation;
  const instanceID = previous.instanceID ?? virtualMachine.id;
  const failureDomain = virtualMachine.failureDomain ?? machine.spec.failureDomain ?? previous.failureDomain;
  const format = infrastructure?.providerIDFormat;
  const values = { instanceId: instanceID, failureDomain, ...virtualMachine.providerIDValues };
  const node = ownOf(observed.get(NODE), situation.composite);
  return {
    virtualMachine,
    instanceID,
    providerID: previous.providerID ?? (format === undefined ? undefined : providerIDOf(format, values)),
    lost: lostBecause(virtualMachine, made, previous.instanceID, isUp(node)),
    node:
      node === undefined
        ? {}
        : parseAs(Own, { status: node.status ?? {} }, describeObject(node), 'InvalidObserved').status,
    nodeReady: isManagedReady(node) && conditionOf(node, 'NodeHealthy')?.status !== 'False',
    failureDomain,
  };
}

/** Undefined: a machine that had this name before left it behind, and its Node is not that of this machine. */
function ownOf(node: KubeObject | undefined, { metadata }: KubeObject): KubeObject | undefined {
  const controller = node && controllerUid(node);
  return controller === undefined || controller === metadata?.uid ? node : undefined;
}

/** As provider-node last saw it. */
function isUp(node: KubeObject | undefined): boolean {
  return (
    conditionOf(node, 'Ready')?.status === 'True' && (conditionOf(node, 'NodeHealthy')?.status ?? 'True') === 'True'
  );
}

function lostBecause(
  { id, ended, notFound }: VirtualMachine,
  made: boolean,
  first: string | undefined,
  nodeIsUp: boolean,
): string | undefined {
  if (first === undefined) return undefined;
  if (!made) return `machine ${first} no longer exists and is not created again`;
  if (id !== undefined && id !== first)
    return `machine ${first} no longer exists; ${id} took its place and is not this node`;
  if (ended) return `the cloud terminated machine ${first}`;
  if (notFound === undefined || nodeIsUp) return undefined;
  const why = notFound.message === undefined ? '' : `: ${notFound.message}`;
  return `its provider does not find machine ${first} and makes another one${why}`;
}
