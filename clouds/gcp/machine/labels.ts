/** Labels of everything a machine has in GCP. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { labelValue } from '../labels.ts';
import type { Situation } from './situation.ts';

export function machineLabels({ machine }: Situation, { tags }: InfrastructureStatus): Record<string, string> {
  const { nodePoolRef, role } = machine.spec;
  return {
    ...tags,
    'slipway-machine': labelValue(machine.metadata.name),
    'slipway-role': role,
    ...(nodePoolRef === undefined ? {} : { 'slipway-node-pool': labelValue(nodePoolRef.name) }),
  };
}
