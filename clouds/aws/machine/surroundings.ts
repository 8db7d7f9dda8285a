/** What machines of a role are attached to. */
import type { InfrastructureStatus, MachineSurroundings } from '#lib/api/contracts/infrastructure-status.ts';
import type { Situation } from './situation.ts';

export function surroundingsOf(
  { machine }: Situation,
  { controlPlane, worker }: InfrastructureStatus,
): MachineSurroundings | undefined {
  return machine.spec.role === 'control-plane' ? controlPlane : worker;
}
