/** Tags of everything a machine has in AWS. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { Situation } from './situation.ts';

export function tagsOf({ machine }: Situation, infrastructure: InfrastructureStatus): Record<string, string> {
  const { name, namespace } = machine.metadata;
  return {
    ...infrastructure.tags,
    Name: name,
    MachineName: `${namespace}/${name}`,
    'sigs.k8s.io/cluster-api-provider-aws/role': machine.spec.role === 'control-plane' ? 'control-plane' : 'node',
  };
}
