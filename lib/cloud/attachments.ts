/** What machines of a role are attached to. */
import type { InfrastructureStatus, MachineAttachments } from '#lib/api/contracts/infrastructure-status.ts';
import type { MachineSituation } from './machine.ts';

export function attachmentsOf(
  { machine }: Pick<MachineSituation, 'machine'>,
  { controlPlane, worker }: InfrastructureStatus,
): MachineAttachments | undefined {
  return machine.spec.role === 'control-plane' ? controlPlane : worker;
}
