/** Tags of everything a machine has in Azure. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { Situation } from './situation.ts';

export function machineTags({ machine }: Situation, { tags }: InfrastructureStatus): Record<string, string> {
  const { nodePoolRef, role } = machine.spec;
  return {
    ...tags,
    'slipway-machine': machine.metadata.name,
    'slipway-role': role,
    ...(nodePoolRef === undefined ? {} : { 'slipway-node-pool': nodePoolRef.name }),
  };
}
